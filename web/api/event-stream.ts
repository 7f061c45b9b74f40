import type { EventPayload, EventType } from '../../src/http/shapes/meetings.ts'
import { readServerSentEvents } from '../../src/lib/net/server-sent-events.ts'

/** One event of any meeting, as it is sent to callback URLs. */
export type StreamedEvent = {
  [T in EventType]: {
    type: T
    meetingId: string
    sequence: number
    timestamp: string
    payload: EventPayload<T>
  }
}[EventType]

export type StreamState = 'connecting' | 'open' | 'lost'

/** A stream that goes on where it was, after a sleep of the machine or a restart of the service. */
export interface EventStream<Message> {
  state(): StreamState
  onState(listener: () => void): () => void
  onEvent(listener: (message: Message) => void): () => void
  /** The stream is there, for the first time or again. */
  onOpen(listener: () => void): () => void
  /** At once, instead of when the pause is over. */
  retry(): void
  /** Connects until the answered function is called. */
  start(): () => void
}

/** The service says something every 15 s. Who hears nothing for so long hears nothing at all. */
const IDLE_TIMEOUT_MS = 40_000
const IDLE_CHECK_MS = 5_000
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 5_000]

type EventStreamOptions = { path: string; onSignedOut: () => void }

export function createEventStream<Message>({
  path,
  onSignedOut,
}: EventStreamOptions): EventStream<Message> {
  let closing = new AbortController()
  const stateListeners = new Set<() => void>()
  const openListeners = new Set<() => void>()
  const eventListeners = new Set<(message: Message) => void>()
  let state: StreamState = 'connecting'
  let position = ''
  let failures = 0
  let heardAt = Date.now()
  let current = new AbortController()
  let endPause = () => {}

  const become = (next: StreamState) => {
    if (next === state) return
    state = next
    for (const listener of stateListeners) listener()
  }

  async function* pieces(response: Response): AsyncGenerator<string> {
    const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader()
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      heardAt = Date.now()
      yield decoder.decode(value, { stream: true })
    }
  }

  /** Reads one connection to its end. */
  async function listen(): Promise<void> {
    current = new AbortController()
    heardAt = Date.now()
    const headers = position === '' ? {} : { 'last-event-id': position }
    const signal = AbortSignal.any([current.signal, closing.signal])
    const response = await fetch(path, { headers, signal, cache: 'no-store' })
    if (response.status === 401) return onSignedOut()
    // The place is not known any more, as after a restored backup: pages read anew what they show.
    if (response.status === 400) position = ''
    if (!response.ok) throw new Error(`the stream answered ${response.status}`)
    failures = 0
    become('open')
    for (const listener of openListeners) listener()
    for await (const { data, id } of readServerSentEvents(pieces(response))) {
      position = id
      const message = JSON.parse(data) as Message
      for (const listener of eventListeners) listener(message)
    }
  }

  async function run({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      // However a connection ends, another one is the answer.
      await Promise.allSettled([listen()])
      if (signal.aborted) return
      become('lost')
      await pause(RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)] ?? 0)
      failures += 1
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** A machine that slept has a connection that looks alive; only silence tells. */
  const look = () => {
    if (state === 'open' && Date.now() - heardAt > IDLE_TIMEOUT_MS) current.abort()
  }
  const wake = () => {
    look()
    if (state === 'lost') endPause()
  }
  const added = <T>(listeners: Set<T>, listener: T) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    state: () => state,
    onState: (listener) => added(stateListeners, listener),
    onEvent: (listener) => added(eventListeners, listener),
    onOpen: (listener) => added(openListeners, listener),
    retry: () => endPause(),
    start() {
      closing = new AbortController()
      const timer = setInterval(look, IDLE_CHECK_MS)
      window.addEventListener('online', wake)
      document.addEventListener('visibilitychange', wake)
      void run(closing)
      return () => {
        closing.abort()
        clearInterval(timer)
        window.removeEventListener('online', wake)
        document.removeEventListener('visibilitychange', wake)
        endPause()
      }
    },
  }
}
