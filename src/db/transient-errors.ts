import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../lib/error-code.ts'

/** Codes of errors that may be temporary: the server is unreachable, restarting or full, or it ended a deadlock. */
const TRANSIENT_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '08000',
  '08003',
  '08006',
  '25P03', // a transaction waited too long for its next statement
  '40001', // could not serialise
  '40P01', // deadlock
  '53100', // disk full
  '53300', // too many connections
  '57P01', // shut down by an administrator
  '57P02', // crashed
  '57P03', // not ready yet
])
/** Messages of transient errors to which the driver gives no code. */
const TRANSIENT_MESSAGES =
  /connection terminated|connection ended|timeout exceeded when trying to connect|not queryable/i

/** True if the same statement may succeed later. The failed one may have been executed. */
export function isTransientDatabaseError(error: unknown): boolean {
  return (
    TRANSIENT_CODES.has(errorCode(error)) ||
    (error instanceof Error && TRANSIENT_MESSAGES.test(error.message))
  )
}

/** Retries stop after this time, because waiting writes keep their data in memory. */
const RETRY_LIMIT_MS = 60_000
const RETRY_INTERVAL_MS = 250

/** Retries `work` while it fails with a transient error. `isRepeat`: an earlier attempt may have been executed. */
export async function retryWhileTransient<T>(work: (isRepeat: boolean) => Promise<T>): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += RETRY_INTERVAL_MS) {
    try {
      return await work(waitedMs > 0)
    } catch (error) {
      if (!isTransientDatabaseError(error) || waitedMs >= RETRY_LIMIT_MS) throw error
    }
    await sleep(RETRY_INTERVAL_MS)
  }
}
