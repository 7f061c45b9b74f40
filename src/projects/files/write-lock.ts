import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { DocumentRef } from '../document-ref.ts'
import { ServiceError } from '../../errors.ts'
import { errorCode } from '../../lib/error-code.ts'
import { createConcurrencyLimit } from '../../lib/async/queues/concurrency-limit.ts'

/** First key of the PostgreSQL advisory locks for documents. The second key is the hash of the document's path. */
const LOCK_CLASS = 4744
/** Each write occupies a database connection. */
const MAX_CONCURRENT_WRITES = 2
const LOCK_TIMEOUT_MS = 10_000
const LOCK_NOT_AVAILABLE = '55P03'
const LOCK_FUNCTIONS = {
  exclusive: sql`pg_advisory_xact_lock`,
  shared: sql`pg_advisory_xact_lock_shared`,
} as const

/** Runs work in a transaction that has the lock. The work uses no other connection: there may be none. */
export type WithWriteLock = <T>(name: string, work: (tx: Tx) => Promise<T>) => Promise<T>

/**
 * Creates a lock that allows one writer per document on all nodes. A checked precondition then still holds when the
 * file is written. What must be stored even if the commit fails after the file was written is stored before.
 */
export function createWriteLock(db: Db): WithWriteLock {
  const limit = createConcurrencyLimit(MAX_CONCURRENT_WRITES)
  return (name, work) =>
    limit(() =>
      db.transaction().execute(async (tx) => {
        await lockDocument(tx, name, 'exclusive')
        return work(tx)
      }),
    )
}

/** The name of the lock of a document. */
export function toLockName({ project, path }: DocumentRef): string {
  return `${project}/${path}`
}

/** Keeps writers away from a document until the transaction ends, on all nodes. */
export function keepUnchanged(tx: Tx, name: string): Promise<void> {
  return lockDocument(tx, name, 'shared')
}

async function lockDocument(
  tx: Tx,
  name: string,
  mode: keyof typeof LOCK_FUNCTIONS,
): Promise<void> {
  try {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(tx)
    await sql`select ${LOCK_FUNCTIONS[mode]}(${LOCK_CLASS}::int, hashtext(${name}))`.execute(tx)
    await sql`set local lock_timeout to default`.execute(tx)
  } catch (error) {
    if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error
    throw new ServiceError('document_busy', { retryAfterSeconds: 1, cause: error })
  }
}
