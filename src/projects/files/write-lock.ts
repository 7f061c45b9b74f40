import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { errorCode } from '../../lib/error-code.ts'
import { createConcurrencyLimit } from '../../lib/async/queues/concurrency-limit.ts'

/** First key of the PostgreSQL advisory locks for documents. The second key is the hash of the document's path. */
const LOCK_CLASS = 4744
/** Each write occupies a database connection. */
const MAX_CONCURRENT_WRITES = 2
const LOCK_TIMEOUT_MS = 10_000
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Creates a lock that allows one writer per document on all nodes. A checked precondition then still holds when the
 * file is written.
 */
export function createWriteLock(
  pool: Pool,
): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const limit = createConcurrencyLimit(MAX_CONCURRENT_WRITES)
  return (name, work) =>
    limit(async () => {
      const client = await pool.connect()
      let mayHoldLock = true
      try {
        await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
        await client.query('select pg_advisory_lock($1, hashtext($2))', [LOCK_CLASS, name])
        const result = await work()
        await client.query('select pg_advisory_unlock($1, hashtext($2))', [LOCK_CLASS, name])
        await client.query('reset lock_timeout')
        mayHoldLock = false
        return result
      } catch (error) {
        if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error
        throw new ServiceError('document_busy', { retryAfterSeconds: 1, cause: error })
      } finally {
        // Closing a connection that may still hold the lock also releases the lock.
        client.release(mayHoldLock)
      }
    })
}

/** Keeps writers away from a document until the transaction ends, on all nodes. */
export async function keepUnchanged(tx: Tx, name: string): Promise<void> {
  try {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(tx)
    await sql`select pg_advisory_xact_lock_shared(${LOCK_CLASS}::int, hashtext(${name}))`.execute(
      tx,
    )
    await sql`set local lock_timeout to default`.execute(tx)
  } catch (error) {
    if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error
    throw new ServiceError('document_busy', { retryAfterSeconds: 1, cause: error })
  }
}
