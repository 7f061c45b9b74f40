import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../lib/error-code.ts'

/** How a server shows itself that goes away, restarts, has no room or ended a deadlock. */
const TRANSIENT_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '08000',
  '08003',
  '08006',
  '40001', // could not serialise
  '40P01', // deadlock
  '53100', // disk full
  '53300', // too many connections
  '57P01', // told to stop
  '57P02', // crashed
  '57P03', // not ready yet
])
/** What the driver says without a code. */
const TRANSIENT_MESSAGES =
  /connection terminated|connection ended|timeout exceeded when trying to connect|not queryable/i

/** The same statement may succeed later. Whether this one was carried out is not known. */
export function isTransient(error: unknown): boolean {
  return (
    TRANSIENT_CODES.has(errorCode(error)) ||
    (error instanceof Error && TRANSIENT_MESSAGES.test(error.message))
  )
}

/** As long as what waits can be kept in memory; after that whoever wrote it gives up. */
const RETRY_LIMIT_MS = 60_000
const RETRY_INTERVAL_MS = 250

/** Tries again while the trouble may pass. The work is told whether an earlier try may have done it already. */
export async function retryTransient<T>(work: (isRepeat: boolean) => Promise<T>): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += RETRY_INTERVAL_MS) {
    try {
      return await work(waitedMs > 0)
    } catch (error) {
      if (!isTransient(error) || waitedMs >= RETRY_LIMIT_MS) throw error
    }
    await sleep(RETRY_INTERVAL_MS)
  }
}
