import { doublingDelayMs } from '../../lib/time/backoff.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time/durations.ts'

const FIRST_DELAY_MS = MINUTE_MS
const MAX_DELAY_MS = 4 * HOUR_MS
/** A mail that could not be sent for this long is given up. */
const GIVE_UP_MS = DAY_MS
const MAX_AGE_MS = 7 * DAY_MS

/** True if a mail has waited so long, for example while no node ran, that sending it would only confuse people. */
export function isTooOld({ createdAt }: { createdAt: Date }, now: Date): boolean {
  return now.getTime() - createdAt.getTime() > MAX_AGE_MS
}

/** When to try again after a temporary failure: after a minute, and each time twice as long. Null to give up. */
export function findNextAttempt(
  { attempts, createdAt }: { attempts: number; createdAt: Date },
  now: Date,
): Date | null {
  const delayMs = doublingDelayMs(FIRST_DELAY_MS, attempts + 1, MAX_DELAY_MS)
  const endMs = createdAt.getTime() + GIVE_UP_MS
  if (now.getTime() >= endMs) return null
  return new Date(Math.min(now.getTime() + delayMs, endMs))
}
