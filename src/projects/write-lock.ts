import type { Pool } from 'pg'
import { createLimit } from '../lib/limit.ts'

/** First number of our advisory locks for files that are being written. */
const LOCK_CLASS = 4744
/** Each takes a connection while it writes. */
const AT_ONCE = 2
const PATIENCE_MS = 10_000

/** One writer at a time for each name, over all nodes, so that a condition still holds when the file is written. */
export function createWriteLock(
  pool: Pool,
): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const limit = createLimit(AT_ONCE)
  return (name, work) =>
    limit(async () => {
      const client = await pool.connect()
      let isLost = true
      try {
        await client.query(`set lock_timeout = ${PATIENCE_MS}`)
        await client.query('select pg_advisory_lock($1, hashtext($2))', [LOCK_CLASS, name])
        const result = await work()
        await client.query('select pg_advisory_unlock($1, hashtext($2))', [LOCK_CLASS, name])
        await client.query('reset lock_timeout')
        isLost = false
        return result
      } finally {
        // A connection that may still hold the lock is thrown away, and the lock with it.
        client.release(isLost)
      }
    })
}
