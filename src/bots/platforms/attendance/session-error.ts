import type { BrowserSlot } from '../../browser/pool/browser-slot.ts'
import type { Log } from '../../../log.ts'
import { createInternalErrorEnd, logUnexpectedError } from '../page-session/errors/page-errors.ts'
import {
  createPageClosedEnd,
  describeSlotLoss,
  isErrorCausedByPage,
  type SessionEnd,
} from '../page-session/page-session.ts'

type Parts = {
  slot: BrowserSlot
  signal: AbortSignal
  /** Names the platform and the session in the log. */
  context: { platform: string; sessionId: string }
  log: Log
}

/** The end of a session that threw an error. An error that the page did not cause is logged. */
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
