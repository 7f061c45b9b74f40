import { systemTimers, type Timers } from '../../../lib/time/timers.ts'

/** How often an open stream checks that its caller is still accepted and may still read what it streams. */
const RECHECK_MS = 1_000
/** Nothing is sent when the last successful check began longer ago than this. */
const MAX_CHECK_AGE_MS = 2_000
/**
 * How old the stored state of an API key may be in such a check. A key that was revoked on another node therefore ends
 * its streams at most RECHECK_MS + MAX_KEY_AGE_MS later, plus the time of the database queries.
 */
export const MAX_KEY_AGE_MS = 500

export type AccessWatch = Disposable & {
  /** Aborts when the caller loses access, also while there is nothing to send. */
  signal: AbortSignal
  /** Whether the caller may get one more message. */
  maySend(): Promise<boolean>
}

type Parts = {
  /** Whether the caller may still read the stream. */
  isAllowed(): Promise<boolean>
  /** A part of that check that needs no database, so it is asked before every message. */
  isAllowedByMemory(): Promise<boolean>
  /** A check that could not be made is no loss of access: an idle stream survives an interruption of the database. */
  onCheckFailed(error: unknown): void
  timers?: Timers
}

/** Checks the access of an open stream again and again. */
export function watchAccess({
  isAllowed,
  isAllowedByMemory,
  onCheckFailed,
  timers = systemTimers,
}: Parts): AccessWatch {
  const lost = new AbortController()
  let checkedAt = timers.now()
  const check = async () => {
    const beganAt = timers.now()
    // The result is what the database knew at some time after the check began, so its age counts from there.
    if (await isAllowed()) checkedAt = Math.max(checkedAt, beganAt)
    else lost.abort()
  }
  const checkRegularly = () => {
    cancel = timers.after(RECHECK_MS, checkRegularly)
    check().catch(onCheckFailed)
  }
  let cancel = timers.after(RECHECK_MS, checkRegularly)
  return {
    signal: lost.signal,
    async maySend() {
      if (timers.now() - checkedAt > MAX_CHECK_AGE_MS) await check()
      return !lost.signal.aborted && (await isAllowedByMemory())
    },
    [Symbol.dispose]: () => cancel(),
  }
}
