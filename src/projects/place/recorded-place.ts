import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { OperatorError } from '../../errors.ts'
import type { DocumentPlace } from '../files/store/document-files.ts'

export type RecordedPlace = { place: DocumentPlace; folderId: string | null }

/** An instance without a record has its documents in a folder, as all had before there was a choice. */
const UNRECORDED: RecordedPlace = { place: 'folder', folderId: null }

/** Keys of the advisory lock of a node that checks the place, and of a move for as long as it takes. */
export const PLACE_LOCK = [4748, 1] as const
export const LOCK_TIMEOUT_MS = 10_000
const LOCK_RETRY_MS = 100
export const LOCK_NOT_AVAILABLE = '55P03'

/** Where the instance has its documents. Also works in a database of an older version. */
export async function readRecordedPlace(db: Db): Promise<RecordedPlace> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('document_place') is not null as exists`.execute(db)
  if (tables[0]?.exists !== true) return UNRECORDED
  const row = await db
    .selectFrom('document_place')
    .select(['place', 'folder_id as folderId'])
    .executeTakeFirst()
  return row ?? UNRECORDED
}

export async function recordPlace(tx: Db, { place, folderId }: RecordedPlace): Promise<void> {
  const values = { place, folder_id: folderId }
  await tx
    .insertInto('document_place')
    .values(values)
    .onConflict((conflict) => conflict.column('is_only_row').doUpdateSet(values))
    .execute()
}

/** Nodes that start together decide one after another. Throws while documents are moved, and when the signal aborts. */
export async function lockPlace(tx: Tx, signal?: AbortSignal): Promise<void> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS
  // Asks again and again, because a statement that waits for the lock could not be aborted.
  while (!(await tryLockPlace(tx))) {
    signal?.throwIfAborted()
    if (performance.now() > deadline)
      throw new OperatorError(
        'The documents of this instance are being moved',
        'Wait until `hansard documents move` has ended, then start again',
      )
    await sleep(LOCK_RETRY_MS)
  }
}

async function tryLockPlace(tx: Tx): Promise<boolean> {
  const [group, key] = PLACE_LOCK
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(${group}::int, ${key}::int) as "isLocked"`.execute(tx)
  return rows[0]?.isLocked ?? false
}
