import { createHash, type Hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { createConcurrencyLimit } from '../../lib/async/queues.ts'
import { errorCode } from '../../lib/error-code.ts'
import type { DocumentRef } from '../document-ref.ts'
import type { DocumentFiles } from './store/document-files.ts'

/** The first key of PostgreSQL advisory locks for documents. The second key is the hash of the document's path. */
const LOCK_CLASS = 4744
/** Limited because each write occupies a database connection. */
const MAX_CONCURRENT_WRITES = 2
const LOCK_TIMEOUT_MS = 10_000
const LOCK_NOT_AVAILABLE = '55P03'
const LOCK_FUNCTIONS = {
  exclusive: sql`pg_advisory_xact_lock`,
  shared: sql`pg_advisory_xact_lock_shared`,
} as const

/** Runs work in a transaction that holds the lock. The work must use no other connection, because none may be free. */
export type WithWriteLock = <T>(name: string, work: (tx: Tx) => Promise<T>) => Promise<T>

/** The If-Match and If-None-Match headers: entity tags, `*` for any version, or undefined. */
export type Preconditions = { ifMatch: string | undefined; ifNoneMatch: string | undefined }

/**
 * Creates a lock that allows one writer per document across all nodes. So a checked precondition is still true when the
 * file is written. Store anything beforehand that must survive a failure of the commit that follows the file write.
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

/** The name of a document's lock. */
export function toLockName({ project, path }: DocumentRef): string {
  return `${project}/${path}`
}

/** Keeps writers on all nodes away from a document until the transaction ends. */
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

/** The entity tag of the stored file; null if there is none. */
export async function computeFileEtag(
  files: DocumentFiles,
  ref: DocumentRef,
): Promise<string | null> {
  const file = await files.open(ref)
  if (file === null) return null
  const hash = createHash('sha256')
  for await (const chunk of file.stream()) hash.update(chunk as Buffer)
  return formatEtag(hash)
}

export function computeEtag(content: Buffer): string {
  return formatEtag(createHash('sha256').update(content))
}

function formatEtag(hash: Hash): string {
  return `"${hash.digest('base64url')}"`
}

/** Throws `precondition_failed` if a condition of the request is not met. */
export function requirePreconditionsMet(
  etag: string | null,
  { ifMatch, ifNoneMatch }: Preconditions,
): void {
  const isMatch = ifMatch === undefined || isEtagInList(etag, ifMatch)
  const isNoneMatch = ifNoneMatch === undefined || !isEtagInList(etag, ifNoneMatch)
  if (!isMatch || !isNoneMatch) throw new ServiceError('precondition_failed')
}

/** True if the list in an If-Match or If-None-Match header contains this entity tag or `*`. */
export function isEtagInList(etag: string | null, list: string): boolean {
  if (etag === null) return false
  return list.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag)
}
