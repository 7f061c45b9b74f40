import type { Timers } from '../../../lib/time/clock.ts'
import { ignoreRefusal } from '../bridge/bridge.ts'
import { hasConnectionFailed, type SoundSources } from '../sound-call/sound-monitor.ts'
import type { IceCandidate, SoundPage } from '../sound-call/sound-page.ts'
import type { IceServer } from '../sound-call/turn-servers.ts'
import type { MediaTargets } from './media-targets.ts'
import { clientSignals, type SignalTarget } from './signals.ts'

/**
 * The two connections of a bot with a LiveKit server, in the page of the bot: through `subscriber` the server sends
 * sound and data, through `publisher` the bot sends chat messages.
 */
export type Transports = ReturnType<typeof createTransports>

/** No room has more tracks with a microphone. */
const MAX_TRACKS = 200
/** Steps that may wait for the page. The limit keeps a hostile server from filling the memory. */
const MAX_STEPS = 500
const RELIABLE = '_reliable'
/** How often the bot tries again to write in the chat while its connection opens, and for how long. */
const SEND_AGAIN_MS = 250
const MAX_TRIES = 80
const MAX_PACKETS = 200
/** A browser reports a failure even when it only waits for another address to try. */
const BROKEN_MS = 5_000

type Options = {
  page: SoundPage
  timers: Timers
  targets: MediaTargets
  send(signal: Uint8Array): void
  /** The browser refused what the server offered. */
  onRefused(): void
  /** A connection that worked has broken. */
  onBroken(): void
  /** Chat messages could not be sent. */
  onUnsent(): void
  onError(error: unknown): void
}

export function createTransports(options: Options) {
  const { page, timers, targets, send } = options
  let isOver = false
  let iceServers: Promise<readonly IceServer[]> = Promise.resolve([])
  const queues = { subscriber: createQueue(), publisher: createQueue() }
  /** Candidates that arrived before the description that they belong to. */
  const early: Record<SignalTarget, IceCandidate[]> = { subscriber: [], publisher: [] }
  const isDescribed: Record<SignalTarget, boolean> = { subscriber: false, publisher: false }
  const media = { isOffered: false, state: 'new', changedAt: 0, wasConnected: false }
  let isPublishing = false
  let offers = 0
  let packets: Uint8Array[] = []
  let cancelSending = () => {}
  let cancelBroken = () => {}

  /** Runs steps of one connection in order. */
  function createQueue() {
    let last = Promise.resolve()
    let waiting = 0
    return (step: () => Promise<void>): void => {
      if (waiting >= MAX_STEPS) return
      waiting += 1
      last = last
        .then(() => (isOver ? undefined : step()))
        .catch(options.onError)
        .finally(() => (waiting -= 1))
    }
  }
  async function addCandidate(target: SignalTarget, candidate: IceCandidate): Promise<void> {
    await targets.allowIn(candidate.candidate)
    await ignoreRefusal(page.addCandidate(target, candidate))
  }
  async function useEarlyCandidates(target: SignalTarget): Promise<void> {
    isDescribed[target] = true
    for (const candidate of early[target].splice(0)) await addCandidate(target, candidate)
  }
  async function offerPublisher(): Promise<void> {
    const settings = { iceServers: await iceServers, maxTracks: 0, channels: [RELIABLE, '_lossy'] }
    const sdp = await page.offer('publisher', settings)
    offers += 1
    send(clientSignals.offer(sdp, offers))
  }
  async function sendPackets(tries: number): Promise<void> {
    const [packet] = packets
    if (isOver || packet === undefined) return
    const isSent = await page.sendData('publisher', RELIABLE, packet)
    if (isSent) {
      packets = packets.slice(1)
      return sendPackets(0)
    }
    if (tries >= MAX_TRIES) {
      packets = []
      return options.onUnsent()
    }
    if (isOver) return
    cancelSending = timers.after(SEND_AGAIN_MS, () => startSending(tries + 1))
  }
  function startSending(tries: number): void {
    sendPackets(tries).catch(options.onError)
  }

  const sources: SoundSources = {
    isAnyOffered: () => media.isOffered,
    isAnyConnected: () => media.state === 'connected',
    // A connection that worked needs no time to open. Until then, a failure may only mean that addresses are missing.
    areAllFailed: () =>
      media.isOffered &&
      (media.wasConnected
        ? media.state !== 'connected'
        : hasConnectionFailed({ ...media, state: 'new' }, timers.now())),
  }
  return {
    sources,
    /** When sound last stopped; null while it arrives. */
    silentSince: () => (media.state === 'connected' ? null : media.changedAt),
    wasConnected: () => media.wasConnected,
    setIceServers(given: readonly IceServer[]) {
      iceServers = targets.selectTurn(given)
      iceServers.catch(options.onError)
    },
    takeOffer(sdp: string, id: number) {
      if (!media.isOffered) Object.assign(media, { isOffered: true, changedAt: timers.now() })
      queues.subscriber(async () => {
        await targets.allowIn(sdp)
        const settings = { iceServers: await iceServers, maxTracks: MAX_TRACKS }
        const answer = await ignoreRefusal(page.answer('subscriber', sdp, settings))
        if (answer === null) return options.onRefused()
        send(clientSignals.answer(answer, id))
        await useEarlyCandidates('subscriber')
      })
    },
    takeAnswer(sdp: string) {
      queues.publisher(async () => {
        await targets.allowIn(sdp)
        await ignoreRefusal(page.accept('publisher', sdp))
        await useEarlyCandidates('publisher')
      })
    },
    takeCandidate(target: SignalTarget, candidate: IceCandidate) {
      queues[target](async () => {
        if (isDescribed[target]) return addCandidate(target, candidate)
        if (early[target].length < MAX_STEPS) early[target].push(candidate)
      })
    },
    /** Opens the connection through which the bot writes, before the first message. */
    startPublishing() {
      if (isPublishing) return
      isPublishing = true
      queues.publisher(offerPublisher)
    },
    /** After a resume, both sides look for a network path again. The server does so for its own connection. */
    restartPublishing() {
      if (isPublishing) queues.publisher(offerPublisher)
    },
    publish(given: readonly Uint8Array[]) {
      if (packets.length + given.length > MAX_PACKETS) return options.onUnsent()
      const isIdle = packets.length === 0
      packets = [...packets, ...given]
      if (isIdle) startSending(0)
    },
    sendCandidate(connectionId: string, candidate: object) {
      if (connectionId === 'subscriber' || connectionId === 'publisher')
        send(clientSignals.candidate(candidate, connectionId))
    },
    setState(connectionId: string, state: string) {
      if (connectionId !== 'subscriber') return
      if (state !== media.state && (media.state === 'connected' || state === 'connected'))
        media.changedAt = timers.now()
      media.state = state
      media.wasConnected ||= state === 'connected'
      cancelBroken()
      if (state === 'failed' && media.wasConnected)
        cancelBroken = timers.after(BROKEN_MS, options.onBroken)
    },
    [Symbol.dispose]() {
      isOver = true
      cancelSending()
      cancelBroken()
    },
  }
}
