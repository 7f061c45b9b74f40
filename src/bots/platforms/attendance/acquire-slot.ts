import type {
  BrowserPool,
  BrowserSlot,
  BrowserSlotOptions,
} from '../../browser/pool/browser-slot.ts'
import { isProgrammingError, SessionStepError } from '../page-session/errors/page-errors.ts'
import type { SessionEnd } from '../page-session/page-session.ts'

type AcquiredSlot = { kind: 'acquired'; slot: BrowserSlot } | SessionEnd

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
