import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import { clearUnfinishedRestore, markRestoreUnfinished } from '../../storage/data-folder.ts'
import { migrate } from '../../db/migrate.ts'
import type { Db } from '../../db/database.ts'
import { ownTables } from '../../db/own-tables.ts'
import { OperatorError } from '../../errors.ts'
import { saveWholeDocument } from '../../meetings/record/transcript-document.ts'
import { ACTIVE_STATUSES } from '../../meetings/status.ts'
import { verifyBackup } from './verify-backup.ts'
import { dropOwnedObjects, findOwnedObjects, type OwnedObjects } from './owned-objects.ts'
import { FILE_FOLDERS, hasFiles, walkDataFiles } from './data-files.ts'
import { loadArchive } from './load-archive.ts'
import type { BackupManifest, BackupSummary } from './manifest.ts'
import { advanceSequences, findTableWithData } from './tables.ts'

export type RestoreParts = {
  db: Db
  pool: Pool
  /** The data folder. */
  root: string
  file: string
  now: Date
  /** Whether what is there may be replaced. */
  isForced: boolean
}

export type RestoreResult = BackupSummary & { manifest: BackupManifest; masterKey: string | null }

/**
 * Puts a backup into an empty database and an empty data folder. The whole file is read and found right before
 * anything is changed; from then until the end a mark in the data folder keeps services from starting there.
 */
export async function restoreBackup(parts: RestoreParts): Promise<RestoreResult> {
  const { db, pool, root, file, now } = parts
  const manifest = await verifyBackup(file)
  const client = await pool.connect()
  try {
    const belongings = await refuseUsedTarget(parts, client)
    await client.query('begin')
    await dropOwnedObjects(client, belongings)
    // Only once nothing is in the way of it: until here all is as it was.
    markRestoreUnfinished(root, { file, since: now.toISOString() })
    await client.query('commit')
    await migrate(db, manifest.migrations.at(-1))
    const fresh = join(root, 'restore.part')
    await rm(fresh, { recursive: true, force: true })
    await client.query('begin')
    const filled = await loadArchive(client, file, manifest, fresh)
    await advanceSequences(client, ownTables(manifest.migrations))
    await client.query('commit')
    await moveFilesIntoPlace(root, fresh, now)
    // Before anything else reads the rows: what reads them knows only the tables of this version.
    await migrate(db)
    await writeUnfinishedDocuments(db, root)
    clearUnfinishedRestore(root)
    return { ...filled, manifest }
  } finally {
    client.release(true)
  }
}

async function refuseUsedTarget(
  { root, isForced }: RestoreParts,
  client: PoolClient,
): Promise<OwnedObjects> {
  const fix = 'Restore into an empty place, or give --force to replace what is there'
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from pg_locks where locktype = 'advisory' and database =
      (select oid from pg_database where datname = current_database())`,
  )
  if (rows[0]?.count !== '0') {
    throw new OperatorError('Other nodes use this database', 'Stop all of them first')
  }
  const belongings = await findOwnedObjects(client)
  const { tables, foreign, nameConflict } = belongings
  if (nameConflict !== null) {
    throw new OperatorError(
      `The database has a ${nameConflict} that is not Hansard's, under a name that it needs`,
      'Restore into a database of its own',
    )
  }
  if (isForced) return belongings
  if (foreign[0] !== undefined) {
    throw new OperatorError(
      `Another program uses this database (${foreign[0]})`,
      'Restore into a database of its own, or give --force: what is not of Hansard stays as it is',
    )
  }
  const used = await findTableWithData(client, tables)
  if (used !== null) throw new OperatorError(`The database is not empty (table ${used})`, fix)
  for await (const { path } of walkDataFiles(root)) {
    throw new OperatorError(`The data folder is not empty (${path})`, fix)
  }
  return belongings
}

/** What was there, if anything, stays beside it under another name. */
async function moveFilesIntoPlace(root: string, fresh: string, now: Date): Promise<void> {
  const stamp = now.toISOString().replaceAll(/[:.]/g, '-')
  for (const room of FILE_FOLDERS) {
    const place = join(root, room)
    if (await hasFiles(root, room)) await rename(place, join(root, `${room}.before-${stamp}`))
    else await rm(place, { recursive: true, force: true })
    await mkdir(join(fresh, room), { recursive: true, mode: 0o755 })
    await rename(join(fresh, room), place)
  }
  await rm(fresh, { recursive: true, force: true })
}

/** Their files said more than the rows; from here they go on as after a crash. */
async function writeUnfinishedDocuments(db: Db, root: string): Promise<void> {
  const unfinished = await db
    .selectFrom('meeting')
    .select(['id', 'segment_count'])
    .where('status', 'in', ACTIVE_STATUSES)
    .where('document_path', 'is not', null)
    .execute()
  for (const { id, segment_count: count } of unfinished) {
    const size = await saveWholeDocument(db, root, id, null)
    await db
      .updateTable('meeting')
      .set({ document_size: size, flushed_count: count })
      .where('id', '=', id)
      .execute()
  }
}
