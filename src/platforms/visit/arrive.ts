import type { State } from '../page/decide.ts'
import type { Sighting } from '../platform.ts'
import { collectEvidence } from './evidence.ts'
import { MAX_OPENINGS, MAX_RELOADS } from './patience.ts'
import type { Room, StayEnd } from './room.ts'

/** What a state before the call is called outside. */
const SIGHTINGS: Readonly<Partial<Record<State | 'unknown', Sighting>>> = {
  prejoin: { seen: 'door' },
  'not started': { seen: 'not started' },
  lobby: { seen: 'lobby' },
}
const LOOK_MS = 1_000
/** The same thing is not done to the same page more often than that. */
const STEP_MS = 1_000
/** A page that wants the same thing again and again never gets further. */
const MAX_STEPS = 30

/** From an empty page into the call; null when it is reached. */
export async function arrive(room: Room): Promise<StayEnd | null> {
  const { eye, emit, patience, now } = room
  const failure = await openPage(room)
  if (failure !== null) return failure
  const step = createStepper(room)
  /** Since when it has neither got further nor waited for somebody. */
  let stuckSince = now()
  let phase = eye.phase()
  let announced: Sighting | undefined
  let waitsSince: number | null = null
  let hasShownLobby = false
  for (;;) {
    const interruption = room.interruption()
    if (interruption !== null) return interruption
    const { state, because } = eye.steady()
    if (because !== null) return { kind: 'over', because }
    if (state === 'in call') return null
    const sighting = SIGHTINGS[state]
    if (sighting !== undefined && sighting !== announced) {
      announced = sighting
      waitsSince = sighting.seen === 'door' ? null : now()
      emit(sighting)
    }
    const isWaiting = state === 'lobby' || state === 'not started'
    if (isWaiting || eye.phase() !== phase) stuckSince = now()
    phase = eye.phase()
    if (now() - stuckSince >= patience.arriveMs) return stuck(room)
    const waitedMs = waitsSince === null ? 0 : now() - waitsSince
    if (room.hasBeenInside && waitedMs >= patience.readmitMs) {
      const detail = 'Nobody let the bot in again after its page had failed'
      return { kind: 'over', because: 'no_answer', detail }
    }
    // How long to wait the first time is not ours to say, and whoever ends it does not ask us any more.
    if (!hasShownLobby && waitsSince !== null && waitedMs >= patience.lobbyMs) {
      hasShownLobby = true
      const evidence = await collectEvidence(room.seat, room.bridge, eye.latest())
      emit({ seen: 'evidence', evidence })
    }
    await step()
    await room.wait(LOOK_MS)
  }
}

function stuck({ eye, platform }: Room): StayEnd {
  if (eye.phase() === 'arriving') return { kind: 'over', because: 'page_not_loaded' }
  const detail = `The page of ${platform.title} did not go on after the request to join`
  return { kind: 'over', because: 'page_not_loaded', detail }
}

/** Does what the page wants in the state that it is in. */
function createStepper(room: Room): () => Promise<void> {
  const { platform, visit, eye, hand, patience, now, seat } = room
  let last: { state: string; at: number } | null = null
  let loadingSince: number | null = null
  let reloads = 0
  let steps = 0
  let wokenAt = 0

  async function reload(): Promise<void> {
    loadingSince = null
    reloads += 1
    const options = { waitUntil: 'commit', timeout: patience.openMs } as const
    await room.attempt(async () => (await seat.page.reload(options)) !== null)
  }
  return async () => {
    const { state } = eye.latest()
    loadingSince = state === 'loading' ? (loadingSince ?? now()) : null
    const isStuck = loadingSince !== null && now() - loadingSince >= patience.loadingMs
    if (isStuck && reloads < MAX_RELOADS) return reload()
    if (eye.phase() === 'knocking' && now() - wokenAt >= 2 * STEP_MS) {
      // The call's buttons may be hidden from a pointer that rests.
      wokenAt = now()
      await room.attempt(async () => (await hand.wake(), true))
    }
    const act = state === 'unknown' ? undefined : platform.steps[state]
    if (act === undefined || steps >= MAX_STEPS) return
    if (last?.state === state && now() - last.at < STEP_MS) return
    const did = await room.attempt(async () => {
      const outcome = await act(hand, visit)
      if (outcome === 'knocked') eye.know({ phase: 'knocking' }, now())
      return outcome !== 'nothing'
    })
    if (did) steps += 1
    last = { state, at: now() }
  }
}

/** The network may fail for a moment; then it is tried again. */
async function openPage(room: Room): Promise<StayEnd | null> {
  const { platform, visit, patience, emit } = room
  const { url, unidentified } = await platform.open(visit)
  if (unidentified !== undefined) emit({ seen: 'unidentified', detail: unidentified })
  for (let tries = 1; ; tries += 1) {
    const why = await goTo(room, url, patience.openMs)
    const interruption = room.interruption()
    if (interruption !== null || why === null) return interruption
    if (tries === MAX_OPENINGS) {
      const detail = `The page of ${platform.title} could not be opened: ${why}`
      return { kind: 'over', because: 'page_not_loaded', detail }
    }
    const until = room.now() + patience.reopenMs
    while (room.now() < until && room.interruption() === null) {
      await room.wait(until - room.now())
    }
  }
}

/** Null when the page is there, otherwise why not: the browser's own short name for it. */
async function goTo(
  { seat, signal }: Room,
  address: string,
  timeout: number,
): Promise<string | null> {
  const stop = () => void seat.page.close().catch((error: unknown) => String(error))
  signal.addEventListener('abort', stop, { once: true })
  try {
    await seat.page.goto(address, { waitUntil: 'commit', timeout })
    return null
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const name = /net::(ERR_[A-Z_]+)/.exec(error.message)?.[1]
    // Some pages send their guest on at once, which ends the first loading but not the visit.
    if (name === 'ERR_ABORTED' || /interrupted by another navigation/.test(error.message))
      return null
    return name ?? (error.name === 'TimeoutError' ? 'it did not answer in time' : error.name)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
