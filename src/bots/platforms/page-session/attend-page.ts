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
  joinRequest: JoinRequest,
  signal: AbortSignal,
): AsyncGenerator<PlatformEvent, void, undefined> {
  const events = createEventBuffer()
  const news = createWakeUp()
  const gone = new AbortController()
  const visiting = { isOver: false }
  const staying = attendWithRejoins(
    platform,
    parts,
    joinRequest,
    (event) => {
      events.push(event)
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
      yield* events.drain()
      // Not a race with `running`, which would keep a memory of every round.
      await news.sleep(Infinity)
    }
    yield* events.drain()
    await running
  } finally {
    gone.abort()
    await Promise.allSettled([running])
  }
}

async function attendWithRejoins(
  platform: PagePlatform,
  parts: AttendOptions,
  joinRequest: JoinRequest,
  emit: (event: PlatformEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { timers = systemTimers } = parts
  const timeouts = { ...SESSION_TIMEOUTS, ...parts.timeouts }
  const pageModel = await platform.pageModel()
  const wakeUp = createWakeUp(timers)
  signal.addEventListener('abort', wakeUp.wake, { once: true })
  let wasAdmittedBefore = false
  const tell = (event: PlatformEvent) => {
    wasAdmittedBefore ||= event.kind === 'admitted'
    emit(event)
  }
  for (let failures = 0; !signal.aborted;) {
    const startedAt = timers.now()
    const end = await runSessionInSlot({
      platform,
      parts,
      timeouts,
      pageModel,
      joinRequest,
      signal,
      timers,
      wasAdmittedBefore,
      emit: tell,
    })
    if (end.kind === 'left') return
    if (end.kind === 'over') return emit(toEndEvent(end))
    failures = timers.now() - startedAt >= timeouts.stableSessionMs ? 1 : failures + 1
    if (failures > MAX_REJOINS) {
      const detail = `${describeEnd('browser_crashed', platform.title)}: ${end.why}`
      return emit({ kind: 'over', because: 'browser_crashed', detail })
    }
    if (!signal.aborted) await wakeUp.sleep(timeouts.rejoinMs)
  }
}

type SessionInput = {
  platform: PagePlatform
  parts: AttendOptions
  timeouts: SessionTimeouts
  pageModel: Awaited<ReturnType<PagePlatform['pageModel']>>
  joinRequest: JoinRequest
  emit: (event: PlatformEvent) => void
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
  let slot: BrowserSlot
  try {
    slot = await parts.pool.acquire(wishes, signal)
  } catch (error) {
    if (signal.aborted) return { kind: 'left' }
    if (!(error instanceof Error)) throw error
    const detail = `The browser for ${platform.title} could not be started: ${error.message}`
    return { kind: 'over', because: 'browser_crashed', detail }
  }
  try {
    return await runSession({ ...rest, slot, idPrefix: randomBase62(8) })
  } catch (error) {
    if (signal.aborted) return { kind: 'left' }
    if (!slot.lostSignal.aborted) throw error
    return { kind: 'again', why: describeLoss(slot) }
  } finally {
    await withTimeout(timeouts.closeMs, slot[Symbol.asyncDispose]())
  }
}

/** Null when the account cannot be opened; why is for whoever keeps accounts to log. */
async function slotOptionsFor(
  { platform, joinRequest }: Omit<SessionInput, 'parts'>,
  { openAccount }: AttendOptions,
): Promise<BrowserSlotOptions | null> {
  const options = { locale: LOCALE, mediaOrigins: platform.origins }
  if (joinRequest.account === null) return options
  try {
    const storageState = await openAccount?.(platform.name, joinRequest.account)
    return storageState === undefined ? null : { ...options, storageState }
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
