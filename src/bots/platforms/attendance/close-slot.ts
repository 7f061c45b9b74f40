import type { Log } from '../../../log.ts'
import type { BrowserSlot } from '../../browser/pool/browser-slot.ts'
import { awaitPageAnswer } from '../page-session/errors/page-errors.ts'
import { redactError } from '../page-session/errors/redact.ts'

/** Closes a slot. A hung page does not close; the session ends without waiting longer for it. */
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
