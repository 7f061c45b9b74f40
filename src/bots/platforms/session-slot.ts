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

type AcquiredSlot = { kind: 'acquired'; slot: BrowserSlot } | SessionEnd

type Parts = {
  slot: BrowserSlot
  signal: AbortSignal
  /** Names the platform and the session in the log. */
  context: { platform: string; sessionId: string }
  log: Log
}

/** A browser slot for one session, or how the session ends without one. */
export async function acquireSlot(
  pool: BrowserPool,
  options: BrowserSlotOptions,
  platformTitle: string,
  signal: AbortSignal,
): Promise<AcquiredSlot> {
  try {
    return { kind: 'acquired', slot: await pool.acquire(options, signal) }
  } catch (error) {
    if (signal.aborted) return { kind: 'left' }
    if (!(error instanceof Error) || isProgrammingError(error))
      throw new SessionStepError('acquire browser slot', error)
    const detail = `The browser for ${platformTitle} could not be started: ${error.message}`
    return { kind: 'over', because: 'browser_crashed', detail }
  }
}

/** Closes a slot. A hung page does not close, and the session does not wait longer than this for it. */
export async function closeSlot(slot: BrowserSlot, closeMs: number, log: Log): Promise<void> {
  const report = (error: unknown) =>
    log.warn({ err: redactError(error) }, 'failed to close a browser slot')
  try {
    const { kind } = await awaitPageAnswer(closeMs, slot[Symbol.asyncDispose](), report)
    if (kind === 'timeout') log.warn({ closeMs }, 'browser slot did not close in time')
  } catch (error) {
    report(error)
  }
}

/** The end of a session that threw an error. The error is logged, unless the page caused it. */
export function toEndOfFailedSession(
  error: unknown,
  { slot, signal, context, log }: Parts,
): SessionEnd {
  const isExpected = isErrorCausedByPage(error, slot)
  if (!isExpected) logUnexpectedError(log, { ...context, step: 'run session' }, error)
  if (signal.aborted) return { kind: 'left' }
  if (!isExpected) return createInternalErrorEnd()
  return slot.lostSignal.aborted
    ? { kind: 'again', why: describeSlotLoss(slot) }
    : createPageClosedEnd()
}
