import type { Timers } from '../../../lib/time/clock.ts'
import { ignoreRefusal } from '../bridge/bridge.ts'
import { hasConnectionFailed, type SoundSources } from '../sound-call/sound-monitor.ts'
import type { IceCandidate, SoundPage } from '../sound-call/sound-page.ts'
import type { IceServer } from '../sound-call/turn-servers.ts'
import type { MessageOfType } from './messages.ts'

/** No group has this many participants who can talk. Further streams are refused. */
const MAX_STREAMS = 100
/** Candidates that may wait for the page. The limit keeps a hostile server from filling the memory. */
const MAX_CANDIDATES = 50
/** How often a failed stream is offered again before the bot waits for the server. */
const MAX_RESTARTS = 5
const RESTART_MS = 2_000

type Stream = {
  /** The server's id. A new stream may have the id of a closed one. */
  id: string
  /** Our own id, which is unique in the session. */
  key: string
  offer: string | null
  candidates: IceCandidate[]
  isClosing: boolean
  isRunning: boolean
  /** The `connectionState` of its connection in the page. */
  state: string
  /** When the stream was offered, or when its state last changed. */
  changedAt: number
  restarts: number
  cancelRestart(): void
}

type Options = {
  page: Pick<SoundPage, 'answer' | 'addCandidate' | 'close'>
  timers: Timers
  send(message: object): void
  iceServers(): Promise<readonly IceServer[]>
  /** The stream has ended, so its participant says nothing more in it. */
  onClosed(key: string): void
  onError(error: unknown): void
}

/** The streams that the server offers, each with a connection in the page of the bot. */
export type Streams = Disposable &
  SoundSources & {
    /** Answers an offer. Returns the key of its stream; null when the stream was refused. */
    takeOffer(offer: MessageOfType<'offer'>): string | null
    takeCandidate(message: MessageOfType<'ice'>): void
    /** Closes a stream, by the server's id, because the server closed it. */
    close(id: string): void
    /** The page found a candidate through which the server may reach it. */
    sendCandidate(key: string, candidate: object): void
    /** The page reported the state of a connection. */
    setState(key: string, state: string): void
  }

export function createStreams(options: Options): Streams {
  const { page, timers, send, onClosed, onError } = options
  const streams = new Map<string, Stream>()
  let count = 0
  let isOver = false

  /** Passes offers and candidates of one stream to the page, in order. A newer offer replaces a waiting one. */
  async function run(stream: Stream): Promise<void> {
    for (;;) {
      const { key, offer } = stream
      const candidate = stream.candidates[0]
      if (isOver) return
      if (stream.isClosing) return closeInPage(key)
      if (offer !== null) {
        stream.offer = null
        await answer(stream, offer)
      } else if (candidate !== undefined) {
        stream.candidates.shift()
        await ignoreRefusal(page.addCandidate(key, candidate))
      } else return
    }
  }
  async function answer(stream: Stream, offer: string): Promise<void> {
    const { id, key } = stream
    const settings = { iceServers: await options.iceServers(), maxTracks: 1 }
    const sdp = await ignoreRefusal(page.answer(key, offer, settings))
    if (stream.isClosing || isOver) return
    if (sdp !== null) return send({ type: 'answer', id, sdp })
    send({ type: 'abort', id })
    close(stream)
  }
  async function closeInPage(key: string): Promise<void> {
    try {
      // Meanwhile the page sends the stream's last sound.
      await page.close(key)
    } finally {
      onClosed(key)
    }
  }
  function start(stream: Stream): void {
    if (stream.isRunning || isOver) return
    stream.isRunning = true
    run(stream)
      .catch(onError)
      .finally(() => (stream.isRunning = false))
  }
  function close(stream: Stream | undefined): void {
    if (stream === undefined) return
    streams.delete(stream.id)
    stream.cancelRestart()
    stream.isClosing = true
    start(stream)
  }
  /** Asks the server for a new offer, because the network path broke. */
  function restart(stream: Stream): void {
    stream.restarts += 1
    if (stream.restarts > MAX_RESTARTS) return
    stream.cancelRestart()
    stream.cancelRestart = timers.after(RESTART_MS * stream.restarts, () => {
      if (stream.state === 'failed') send({ type: 'renegotiate', id: stream.id })
    })
  }
  const findByKey = (key: string) => [...streams.values()].find((stream) => stream.key === key)

  return {
    takeOffer({ id, sdp, replace }) {
      if (isOver) return null
      if (replace !== '' && replace !== id) close(streams.get(replace))
      if (!streams.has(id) && streams.size >= MAX_STREAMS) {
        send({ type: 'abort', id })
        return null
      }
      const stream = streams.get(id) ?? createStream(id, (count += 1), timers.now())
      streams.set(id, stream)
      stream.offer = sdp
      start(stream)
      return stream.key
    },
    takeCandidate({ id, candidate }) {
      const stream = streams.get(id)
      if (stream === undefined || stream.candidates.length >= MAX_CANDIDATES) return
      stream.candidates.push(candidate)
      start(stream)
    },
    close: (id) => close(streams.get(id)),
    sendCandidate(key, candidate) {
      const stream = findByKey(key)
      if (stream !== undefined) send({ type: 'ice', id: stream.id, candidate })
    },
    setState(key, state) {
      const stream = findByKey(key)
      if (stream === undefined) return
      stream.state = state
      stream.changedAt = timers.now()
      if (state === 'connected') stream.restarts = 0
      if (state === 'failed') restart(stream)
    },
    areAllFailed: () =>
      streams.size > 0 &&
      [...streams.values()].every((stream) => hasConnectionFailed(stream, timers.now())),
    isAnyConnected: () => [...streams.values()].some(({ state }) => state === 'connected'),
    isAnyOffered: () => streams.size > 0,
    [Symbol.dispose]() {
      isOver = true
      for (const { key, cancelRestart } of streams.values()) {
        cancelRestart()
        onClosed(key)
      }
      streams.clear()
    },
  }
}

function createStream(id: string, number: number, now: number): Stream {
  return {
    id,
    key: `stream-${number}`,
    offer: null,
    candidates: [],
    isClosing: false,
    isRunning: false,
    state: 'new',
    changedAt: now,
    restarts: 0,
    cancelRestart: () => undefined,
  }
}
