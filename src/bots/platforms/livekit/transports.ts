import type { Timers } from '../../../lib/time/clock.ts'
import { ignoreRefusal } from '../bridge/bridge.ts'
import { hasConnectionFailed, type SoundSources } from '../sound-call/sound-monitor.ts'
import type { IceCandidate, SoundPage } from '../sound-call/sound-page.ts'
import type { IceServer } from '../sound-call/turn-servers.ts'
import type { MediaTargets } from './media-targets.ts'
import { createPublisher, RELIABLE } from './publisher.ts'
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
  const { page, targets, send, onRefused, onError } = options
  const media = createMediaState(options)
  const publisher = createPublisher(options)
  let iceServers: Promise<readonly IceServer[]> = Promise.resolve([])
  const sides = {
    subscriber: createSide('subscriber', options),
    publisher: createSide('publisher', options),
  }
  let isPublishing = false
  let offers = 0

  async function offerPublisher(): Promise<void> {
    const settings = { iceServers: await iceServers, maxTracks: 0, channels: [RELIABLE, '_lossy'] }
    const sdp = await page.offer('publisher', settings)
    offers += 1
    send(clientSignals.offer(sdp, offers))
  }

  return {
    sources: media.sources,
    /** When sound last stopped; null while it arrives. */
    silentSince: media.silentSince,
    wasConnected: media.wasConnected,
    setIceServers(given: readonly IceServer[]) {
      iceServers = targets.selectTurn(given)
      iceServers.catch(onError)
    },
    takeOffer(sdp: string, id: number) {
      media.noteOffer()
      sides.subscriber.run(async () => {
        await targets.allowIn(sdp)
        const settings = { iceServers: await iceServers, maxTracks: MAX_TRACKS }
        const answer = await ignoreRefusal(page.answer('subscriber', sdp, settings))
        if (answer === null) return onRefused()
        send(clientSignals.answer(answer, id))
        await sides.subscriber.useEarlyCandidates()
      })
    },
    takeAnswer(sdp: string) {
      sides.publisher.run(async () => {
        await targets.allowIn(sdp)
        await ignoreRefusal(page.accept('publisher', sdp))
        await sides.publisher.useEarlyCandidates()
      })
    },
    takeCandidate: (target: SignalTarget, candidate: IceCandidate) =>
      sides[target].takeCandidate(candidate),
    /** Opens the connection through which the bot writes, before the first message. */
    startPublishing() {
      if (isPublishing) return
      isPublishing = true
      sides.publisher.run(offerPublisher)
    },
    /** After a resume, both sides look for a network path again. The server does so for its own connection. */
    restartPublishing() {
      if (isPublishing) sides.publisher.run(offerPublisher)
    },
    publish: publisher.publish,
    sendCandidate(connectionId: string, candidate: object) {
      if (connectionId === 'subscriber' || connectionId === 'publisher')
        send(clientSignals.candidate(candidate, connectionId))
    },
    setState(connectionId: string, state: string) {
      if (connectionId === 'subscriber') media.setState(state)
    },
    [Symbol.dispose]() {
      sides.subscriber.stop()
      sides.publisher.stop()
      media[Symbol.dispose]()
      publisher[Symbol.dispose]()
    },
  }
}

/** The steps of one connection, in order. */
function createSide(target: SignalTarget, { page, targets, onError }: Options) {
  /** Candidates that arrived before the description that they belong to. */
  const early: IceCandidate[] = []
  let isDescribed = false
  let isOver = false
  let last = Promise.resolve()
  let waiting = 0

  async function addCandidate(candidate: IceCandidate): Promise<void> {
    await targets.allowIn(candidate.candidate)
    await ignoreRefusal(page.addCandidate(target, candidate))
  }
  function run(step: () => Promise<void>): void {
    if (waiting >= MAX_STEPS) return
    waiting += 1
    last = last
      .then(() => (isOver ? undefined : step()))
      .catch(onError)
      .finally(() => (waiting -= 1))
  }
  return {
    run,
    takeCandidate(candidate: IceCandidate) {
      run(async () => {
        if (isDescribed) return addCandidate(candidate)
        if (early.length < MAX_STEPS) early.push(candidate)
      })
    },
    async useEarlyCandidates(): Promise<void> {
      isDescribed = true
      for (const candidate of early.splice(0)) await addCandidate(candidate)
    },
    stop: () => void (isOver = true),
  }
}

/** Whether the connection for sound works. */
function createMediaState({ timers, onBroken }: Options) {
  let isOffered = false
  let wasConnected = false
  let state = 'new'
  /** When it was offered, or when it last began or ceased to work. */
  let changedAt = 0
  let cancelBroken = () => {}

  const sources: SoundSources = {
    isAnyOffered: () => isOffered,
    isAnyConnected: () => state === 'connected',
    // A connection that worked needs no time to open. Until then, a failure may only mean that addresses are missing.
    areAllFailed: () =>
      isOffered &&
      (wasConnected
        ? state !== 'connected'
        : hasConnectionFailed({ state: 'new', changedAt }, timers.now())),
  }
  return {
    sources,
    silentSince: () => (state === 'connected' ? null : changedAt),
    wasConnected: () => wasConnected,
    noteOffer() {
      if (!isOffered) changedAt = timers.now()
      isOffered = true
    },
    setState(next: string) {
      if ((next === 'connected') !== (state === 'connected')) changedAt = timers.now()
      state = next
      wasConnected ||= state === 'connected'
      cancelBroken()
      if (state === 'failed' && wasConnected) cancelBroken = timers.after(BROKEN_MS, onBroken)
    },
    [Symbol.dispose]: () => cancelBroken(),
  }
}
