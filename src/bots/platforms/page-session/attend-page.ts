import { randomBase62 } from '../../../lib/crypto/random.ts'
import {
  BrowserSlotLostError,
  type BrowserPool,
  type BrowserSlot,
  type BrowserSlotOptions,
  type StorageState,
} from '../../browser/pool/browser-slot.ts'
import { systemTimers, type Timers } from '../../../lib/time/timers.ts'
import { createWakeUp } from '../../../lib/async/wake-up.ts'
import type { PlatformName, PlatformEvent, JoinRequest } from '../platform.ts'
import { describeEnd } from './end-details.ts'
import type { PagePlatform } from './page-platform.ts'
import { MAX_REJOINS, SESSION_TIMEOUTS, type SessionTimeouts } from './timeouts.ts'
import type { SessionEnd } from './page-session.ts'
import { createEventBuffer } from './event-buffer.ts'
import { runSession } from './run-session.ts'
import { withTimeout } from './with-timeout.ts'

/** What a signed-in person's browser kept, by the name of the bot account. */
export type OpenAccount = (platform: PlatformName, name: string) => Promise<StorageState>

export type AttendOptions = {
  pool: BrowserPool
  /** Without it every visit is a guest's. */
  openAccount?: OpenAccount
  timeouts?: Partial<SessionTimeouts>
  timers?: Timers
}

/** Pages are asked for in one language, for which the tables have most words. */
const LOCALE = 'en-US'

/** Attends a meeting of a platform that lives in a page: one stay, and further ones when a page fails. */
export async function* attendPage(
  platform: PagePlatform,
  parts: AttendOptions,
  visit: JoinRequest,
  signal: AbortSignal,
): AsyncGenerator<PlatformEvent, void, undefined> {
  const sightings = createEventBuffer()
  const news = createWakeUp()
  const gone = new AbortController()
  const visiting = { isOver: false }
  const staying = attendWithRejoins(
    platform,
    parts,
    visit,
    (sighting) => {
      sightings.push(sighting)
      news.wake()
    },
    AbortSignal.any([signal, gone.signal]),
  )
  const running = staying.finally(() => {
    visiting.isOver = true
    news.wake()
  })
  void Promise.allSettled([running])
  try {
    while (!visiting.isOver) {
      yield* sightings.drain()
      // Not a race with `running`, which would keep a memory of every round.
      await news.sleep(Infinity)
    }
    yield* sightings.drain()
    await running
  } finally {
    gone.abort()
    await Promise.allSettled([running])
  }
}

async function attendWithRejoins(
  platform: PagePlatform,
  parts: AttendOptions,
  visit: JoinRequest,
  emit: (sighting: PlatformEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { timers = systemTimers } = parts
  const patience = { ...SESSION_TIMEOUTS, ...parts.timeouts }
  const table = await platform.pageModel()
  const wakeUp = createWakeUp(timers)
  signal.addEventListener('abort', wakeUp.wake, { once: true })
  let hasBeenInside = false
  const tell = (sighting: PlatformEvent) => {
    hasBeenInside ||= sighting.kind === 'admitted'
    emit(sighting)
  }
  for (let failures = 0; !signal.aborted;) {
    const startedAt = timers.now()
    const given = { platform, parts, patience, table, visit, signal, timers, hasBeenInside }
    const end = await runSessionInSlot({ ...given, emit: tell })
    if (end.kind === 'left') return
    if (end.kind === 'over') return emit(toEndEvent(end))
    failures = timers.now() - startedAt >= patience.stableSessionMs ? 1 : failures + 1
    if (failures > MAX_REJOINS) {
      const detail = `${describeEnd('browser_crashed', platform.title)}: ${end.why}`
      return emit({ kind: 'over', because: 'browser_crashed', detail })
    }
    if (!signal.aborted) await wakeUp.sleep(patience.rejoinMs)
  }
}

type SessionInput = {
  platform: PagePlatform
  parts: AttendOptions
  timeouts: SessionTimeouts
  pageModel: Awaited<ReturnType<PagePlatform['pageModel']>>
  joinRequest: JoinRequest
  emit: (sighting: PlatformEvent) => void
  signal: AbortSignal
  timers: Timers
  wasAdmittedBefore: boolean
}

/** A seat of its own for each stay, given back whatever happens in it. */
async function runSessionInSlot({ parts, ...rest }: SessionInput): Promise<SessionEnd> {
  const { signal, timeouts, platform } = rest
  const wishes = await slotOptionsFor(rest, parts)
  if (wishes === null) {
    const detail = `The bot account ${rest.joinRequest.account} could not be opened; check it with hansard account check`
    return { kind: 'over', because: 'sign_in_required', detail }
  }
  let seat: BrowserSlot
  try {
    seat = await parts.pool.acquire(wishes, signal)
  } catch (error) {
    if (signal.aborted) return { kind: 'left' }
    if (!(error instanceof Error)) throw error
    const detail = `The browser for ${platform.title} could not be started: ${error.message}`
    return { kind: 'over', because: 'browser_crashed', detail }
  }
  try {
    return await runSession({ ...rest, slot: seat, idPrefix: randomBase62(8) })
  } catch (error) {
    if (signal.aborted) return { kind: 'left' }
    if (!seat.lostSignal.aborted) throw error
    return { kind: 'again', why: describeLoss(seat) }
  } finally {
    await withTimeout(timeouts.closeMs, seat[Symbol.asyncDispose]())
  }
}

/** Null when the account cannot be opened; why is for whoever keeps accounts to log. */
async function slotOptionsFor(
  { platform, joinRequest }: Omit<SessionInput, 'parts'>,
  { openAccount }: AttendOptions,
): Promise<BrowserSlotOptions | null> {
  const wishes = { locale: LOCALE, origins: platform.origins }
  if (joinRequest.account === null) return wishes
  try {
    const storageState = await openAccount?.(platform.name, joinRequest.account)
    return storageState === undefined ? null : { ...wishes, storageState }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return null
  }
}

function describeLoss({ lostSignal }: BrowserSlot): string {
  return lostSignal.reason instanceof BrowserSlotLostError
    ? lostSignal.reason.message
    : 'The page failed'
}

function toEndEvent({ because, detail }: SessionEnd & { kind: 'over' }): PlatformEvent {
  return { kind: 'over', because, ...(detail !== undefined && { detail }) }
}
