import type { EventPayload, EventType } from '../../src/http/shapes/meetings/meetings.ts'
import { readServerSentEvents } from '../../src/lib/net/server-sent-events.ts'
import { readTextChunks } from './text-chunks.ts'

/** One event of any meeting, in the format of callbacks. */
export type StreamedMeetingEvent = {
  [T in EventType]: {
    type: T
    meetingId: string
    sequence: number
    timestamp: string
    payload: EventPayload<T>
  }
}[EventType]

/**
 * Says that a gap in the transcript started or ended, that a comment was added, changed or deleted, that a person
 * changed the recap, or that the title, a speaker's name or a warning was changed. It is not an event and has no payload.
 */
export type ContentChangeMessage = {
  type:
    | 'transcript_gap_changed'
    | 'comments_changed'
    | 'recap_items_changed'
    | 'meeting_details_changed'
  meetingId: string
}

export type EventStreamState = 'connecting' | 'open' | 'lost'

/** A server-sent event stream that reconnects and resumes after the last received event. */
export interface EventStream<Message> {
  state(): EventStreamState
  onState(listener: () => void): () => void
  onEvent(listener: (message: Message) => void): () => void
  /** Called on every successful connect and reconnect. */
  onOpen(listener: () => void): () => void
  /** Ends the current attempt or the retry delay, and reconnects immediately. */
  retry(): void
  /** Connects, and stays connected until the returned function is called. */
  start(): () => void
}

/** The service sends at least a comment every 15 s, so a longer silence means a dead connection. */
const IDLE_TIMEOUT_MS = 40_000
const IDLE_CHECK_MS = 5_000
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 5_000]

/** The parts of the browser that a stream needs. */
type BrowserParts = {
  fetch: (path: string, init: RequestInit) => Promise<Response>
  window: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
  document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>
}

type EventStreamOptions = { path: string; onSignedOut: () => void; browser?: BrowserParts }

export function createEventStream<Message>({
  path,
  onSignedOut,
  browser = globalThis,
}: EventStreamOptions): EventStream<Message> {
  let closing = new AbortController()
  const stateListeners = new Set<() => void>()
  const openListeners = new Set<() => void>()
  const eventListeners = new Set<(message: Message) => void>()
  let state: EventStreamState = 'connecting'
  let position = ''
  let failures = 0
  let lastByteAt = Date.now()
  let current = new AbortController()
  let endRetryDelay = () => {}
  /** True if the next attempt follows without a delay. */
  let isHurried = false

  const setState = (next: EventStreamState) => {
    if (next === state) return
    state = next
    for (const listener of stateListeners) listener()
  }

  async function* readChunks(response: Response): AsyncGenerator<string> {
    for await (const chunk of readTextChunks(response)) {
      lastByteAt = Date.now()
      yield chunk
    }
  }

  /** Opens one connection and reads it until it ends. */
  async function readConnection(): Promise<void> {
    current = new AbortController()
    isHurried = false
    lastByteAt = Date.now()
    const headers = position === '' ? {} : { 'last-event-id': position }
    const signal = AbortSignal.any([current.signal, closing.signal])
    const response = await browser.fetch(path, { headers, signal, cache: 'no-store' })
    if (response.status === 401) return onSignedOut()
    // The service does not know the last received event, for example after a backup was restored. Start without it.
    if (response.status === 400) position = ''
    if (!response.ok) throw new Error(`the stream answered ${response.status}`)
    failures = 0
    setState('open')
    for (const listener of openListeners) callListener(listener)
    for await (const { data, id } of readServerSentEvents(readChunks(response))) {
      position = id
      const message = JSON.parse(data) as Message
      for (const listener of eventListeners) callListener(() => listener(message))
    }
  }

  async function run({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      try {
        await readConnection()
      } catch (error) {
        // Connection errors are expected and shown as a lost connection. Only an event with invalid JSON is a bug.
        if (error instanceof SyntaxError) reportError(error)
      }
      if (signal.aborted) return
      setState('lost')
      if (isHurried) continue
      await waitToRetry(RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)] ?? 0)
      failures += 1
    }
  }

  function waitToRetry(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      endRetryDelay = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const reconnect = () => {
    isHurried = true
    current.abort()
    endRetryDelay()
  }
  /** After the computer slept, a dead connection or attempt still looks alive. Only the silence reveals it. */
  const checkIdle = () => {
    if (Date.now() - lastByteAt > IDLE_TIMEOUT_MS) current.abort()
  }
  const onVisibilityChange = () => {
    if (browser.document.visibilityState !== 'visible') return
    checkIdle()
    if (state !== 'open') reconnect()
  }
  return {
    state: () => state,
    onState: (listener) => addListener(stateListeners, listener),
    onEvent: (listener) => addListener(eventListeners, listener),
    onOpen: (listener) => addListener(openListeners, listener),
    retry: reconnect,
    start() {
      closing = new AbortController()
      const timer = setInterval(checkIdle, IDLE_CHECK_MS)
      // The old connection belongs to the previous network, and nothing would ever arrive on it.
      browser.window.addEventListener('online', reconnect)
      browser.document.addEventListener('visibilitychange', onVisibilityChange)
      void run(closing)
      return () => {
        closing.abort()
        clearInterval(timer)
        browser.window.removeEventListener('online', reconnect)
        browser.document.removeEventListener('visibilitychange', onVisibilityChange)
        endRetryDelay()
      }
    },
  }
}

function addListener<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** An error in a listener must not end the connection. The browser reports it like any uncaught error. */
function callListener(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    reportError(error)
  }
}
