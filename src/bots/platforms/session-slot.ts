import type { Log } from '../../log.ts'
import type { BrowserPool, BrowserSlot, BrowserSlotOptions } from '../browser/pool/browser-slot.ts'
import {
  isProgrammingError,
  SessionStepError,
  awaitPageAnswer,
  createInternalErrorEnd,
  logUnexpectedError,
  redactError,
} from './page-session/page-errors.ts'
import {
  type SessionEnd,
  createPageClosedEnd,
  describeSlotLoss,
  isErrorCausedByPage,
} from './page-session/page-session.ts'
import type { PlatformName, JoinTime } from './platform.ts'

type SlotSession = {
  platform: { name: PlatformName; title: string }
  pool: BrowserPool
  slotOptions: BrowserSlotOptions
  /** Names the session in the log. */
  sessionId: string
  joinTime: JoinTime | undefined
  closeMs: number
  signal: AbortSignal
  log: Log
}

/** Runs one session in its own browser slot from its join time on, and always releases the slot. */
export async function runInSlot(
  { platform, pool, slotOptions, sessionId, joinTime, closeMs, signal, log }: SlotSession,
  run: (slot: BrowserSlot) => Promise<SessionEnd>,
): Promise<SessionEnd> {
  let slot: BrowserSlot
  try {
    slot = await pool.acquire(slotOptions, signal)
  } catch (error) {
    if (signal.aborted) return { kind: 'left' }
    if (!(error instanceof Error) || isProgrammingError(error))
      throw new SessionStepError('acquire browser slot', error)
    const detail = `The browser for ${platform.title} could not be started: ${error.message}`
    return { kind: 'over', because: 'browser_crashed', detail }
  }
  const context = { platform: platform.name, sessionId }
  try {
    await joinTime?.wait(AbortSignal.any([signal, slot.lostSignal]))
    return signal.aborted ? { kind: 'left' } : await run(slot)
  } catch (error) {
    const isExpected = isErrorCausedByPage(error, slot)
    if (!isExpected) logUnexpectedError(log, { ...context, step: 'run session' }, error)
    if (signal.aborted) return { kind: 'left' }
    if (!isExpected) return createInternalErrorEnd()
    return slot.lostSignal.aborted
      ? { kind: 'again', why: describeSlotLoss(slot) }
      : createPageClosedEnd()
  } finally {
    await closeSlot(slot, closeMs, log.child(context))
  }
}

/** Closes a slot. A hung page does not close, and the session does not wait longer than this for it. */
async function closeSlot(slot: BrowserSlot, closeMs: number, log: Log): Promise<void> {
  const report = (error: unknown) =>
    log.warn({ err: redactError(error) }, 'failed to close a browser slot')
  try {
    const { kind } = await awaitPageAnswer(closeMs, slot[Symbol.asyncDispose](), report)
    if (kind === 'timeout') log.warn({ closeMs }, 'browser slot did not close in time')
  } catch (error) {
    report(error)
  }
}
