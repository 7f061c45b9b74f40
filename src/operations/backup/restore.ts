import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import { removeRestoreMarker, writeRestoreMarker } from '../../storage/data-folder.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import type { Db } from '../../db/database.ts'
import { listHansardTables } from '../../db/own-tables.ts'
import { OperatorError } from '../../errors.ts'
import { createFoldersSync } from '../../lib/files/create-folders.ts'
import { inheritOwnerSync } from '../../lib/files/file-owner.ts'
import { rewriteDocumentsOfActiveMeetings } from '../../meetings/record/rewrite-documents.ts'
import { verifyBackup } from './verify-backup.ts'
import {
  dropHansardObjects,
  classifyDatabaseObjects,
  type DatabaseObjectsByOwner,
} from './owned-objects.ts'
import { USER_FILE_FOLDERS, hasFilesInFolder, walkDataFiles } from './data-files.ts'
import { loadArchiveRowsAndFiles } from './load-archive.ts'
import type { BackupManifest, BackupTotalsAndChecksum } from './manifest.ts'
import { advanceSequences, findTableWithUserData } from './tables.ts'

export type RestoreBackupOptions = {
  db: Db
  pool: Pool
  /** The data folder. */
  root: string
  file: string
  now: Date
  /** Whether existing data may be replaced. */
  isForced: boolean
}

export type RestoreResult = BackupTotalsAndChecksum & {
  manifest: BackupManifest
  masterKey: string | null
}

/**
 * Restores a backup into an empty database and an empty data folder. The whole file is verified before anything changes. Until
 * the end, a marker in the data folder prevents services from starting there.
 */
export async function restoreBackup(parts: RestoreBackupOptions): Promise<RestoreResult> {
  const { db, pool, root, file, now } = parts
  const manifest = await verifyBackup(file)
  const client = await pool.connect()
  try {
    const owned = await refuseUsedTarget(parts, client)
    await client.query('begin')
    await dropHansardObjects(client, owned)
    // The data folder is marked as late as possible, because the restore has changed nothing until here.
    writeRestoreMarker(root, { file, since: now.toISOString() })
    await client.query('commit')
    await migrateDatabase(db, manifest.migrations.at(-1))
    const fresh = join(root, 'restore.part')
    await rm(fresh, { recursive: true, force: true })
    await client.query('begin')
    const filled = await loadArchiveRowsAndFiles(client, file, manifest, fresh)
    await advanceSequences(client, listHansardTables(manifest.migrations))
    await client.query('commit')
    await moveFilesIntoPlace(root, fresh, now)
    // Migrates to the current version, because the code that rewrites documents knows only the tables of this version.
    await migrateDatabase(db)
    await rewriteDocumentsOfActiveMeetings(db, root)
    removeRestoreMarker(root)
    return { ...filled, manifest }
  } finally {
    client.release(true)
  }
}

async function refuseUsedTarget(
  { root, isForced }: RestoreBackupOptions,
  client: PoolClient,
): Promise<DatabaseObjectsByOwner> {
  const fix =
    'Restore into an empty database and data folder, or use --force to replace the existing data'
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from pg_locks where locktype = 'advisory' and database =
      (select oid from pg_database where datname = current_database())`,
  )
  if (rows[0]?.count !== '0') {
    throw new OperatorError('Other nodes use this database', 'Stop all of them first')
  }
  const owned = await classifyDatabaseObjects(client)
  const { tables, foreign, nameConflict } = owned
  if (nameConflict !== null) {
    throw new OperatorError(
      `The database already has a ${nameConflict} with a name that Hansard needs, made by another program`,
      'Restore into a separate database',
    )
  }
  if (isForced) return owned
  if (foreign[0] !== undefined) {
    throw new OperatorError(
      `Another program uses this database (${foreign[0]})`,
      'Restore into a separate database, or use --force; tables of other programs are not changed',
    )
  }
  const used = await findTableWithUserData(client, tables)
  if (used !== null) throw new OperatorError(`The database is not empty (table ${used})`, fix)
  for await (const { path } of walkDataFiles(root)) {
    throw new OperatorError(`The data folder is not empty (${path})`, fix)
  }
  return owned
}

/** Existing files are kept next to the restored ones, in a folder with a `.before-` suffix. */
async function moveFilesIntoPlace(root: string, fresh: string, now: Date): Promise<void> {
  const stamp = now.toISOString().replaceAll(/[:.]/g, '-')
  for (const name of USER_FILE_FOLDERS) {
    const target = join(root, name)
    if (await hasFilesInFolder(root, name))
      await rename(target, join(root, `${name}.before-${stamp}`))
    else await rm(target, { recursive: true, force: true })
    for (const created of createFoldersSync(join(fresh, name), 0o755)) inheritOwnerSync(created)
    await rename(join(fresh, name), target)
  }
  await rm(fresh, { recursive: true, force: true })
}
