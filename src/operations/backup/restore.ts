import { rm, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import type { Tx } from '../../db/database.ts'
import { createDbOnClient } from '../../db/lost-connections.ts'
import { listTablesCreatedByMigrations, migrateDatabase } from '../../db/migrate.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { errorCode, errorMessageOf } from '../../lib/error-code.ts'
import { createOwnedFoldersSync, readFreeDiskMb } from '../../lib/files/folders.ts'
import { escapeControlCharacters } from '../../lib/text/plain-text.ts'
import { rewriteDocumentsOfActiveMeetings } from '../../meetings/record/transcript-document.ts'
import { recordPlace } from '../../projects/document-place.ts'
import { createDatabaseDocuments } from '../../projects/files/store/database-documents.ts'
import type { DocumentPlace } from '../../projects/files/store/document-files.ts'
import { createFolderDocuments } from '../../projects/files/store/folder-documents.ts'
import { insertStoredFile } from '../../projects/files/store/stored-files.ts'
import {
  RESTORED_FILES_FOLDER,
  removeRestoreMarker,
  formatPathBeforeRestore,
  writeRestoreMarker,
} from '../../storage/data-folder.ts'
import {
  createFolderFiles,
  createUserFiles,
  USER_FILE_FOLDERS,
  hasFilesInFolder,
} from './data-files.ts'
import type { BackupManifest, BackupTotalsAndChecksum } from './manifest.ts'
import {
  dropHansardObjects,
  classifyDatabaseObjects,
  type DatabaseObjectsByOwner,
  loadBackup,
  runInTransaction,
} from './restore-database.ts'
import { advanceSequences, findTableWithUserData } from './backup-tables.ts'
import type { VerifiedBackup } from './verify-backup.ts'

export type RestoreBackupOptions = {
  pool: Pool
  /** The data folder. */
  root: string
  backup: VerifiedBackup
  now: Date
  /** Where the restored instance keeps its documents. */
  documents: DocumentPlace
  /** True if existing data may be replaced. */
  isForced: boolean
}

export type RestoreResult = BackupTotalsAndChecksum & {
  manifest: BackupManifest
  masterKey: string | null
}

type FolderSwap = {
  /** The data folder. */
  root: string
  /** The folder where the new folders were loaded. */
  fresh: string
  /** The backup that they come from. */
  file: string
  now: Date
}

/**
 * Restores a backup into an empty database and data folder, or replaces existing data. One transaction drops the old
 * tables and fills the new ones, and the files are loaded next to the old ones, so existing data stays unchanged if
 * anything fails. While files and database are switched, a marker in the data folder prevents services from starting
 * there.
 */
export async function restoreBackup(parts: RestoreBackupOptions): Promise<RestoreResult> {
  const { pool, root, backup, now, documents } = parts
  const fresh = join(root, RESTORED_FILES_FOLDER)
  await using cleanup = new AsyncDisposableStack()
  const client = await pool.connect()
  // Closing the connection also ends the transaction, in any state.
  cleanup.defer(() => client.release(true))
  const owned = await refuseUsedTarget(parts, client)
  await rm(fresh, { recursive: true, force: true })
  refuseLittleDiskSpace(root, backup)
  cleanup.defer(() => rm(fresh, { recursive: true, force: true }))
  createOwnedFoldersSync(fresh, 0o700)
  const result = await runInTransaction(client, async (tx) => {
    await dropHansardObjects(client, owned)
    // The locks of the dropped tables now block a node that starts. A node that has just started is found here.
    await refuseOtherNodes(client)
    const loaded = await loadIntoNewTables(tx, client, { backup, fresh, documents })
    if (documents === 'folder') await swapFolders({ root, fresh, file: backup.file, now })
    return loaded
  })
  // After a failed commit the marker stays, because it is unknown whether the database has committed.
  removeRestoreMarker(root)
  return result
}

/** Creates the tables of the version that made the backup, fills them, and migrates them to this version. */
async function loadIntoNewTables(
  tx: Tx,
  client: PoolClient,
  {
    backup,
    fresh,
    documents,
  }: Pick<RestoreBackupOptions, 'backup' | 'documents'> & { fresh: string },
): Promise<RestoreResult> {
  try {
    await migrateDatabase(tx, backup.manifest.migrations.at(-1))
    const { manifest, totals, masterKey } = await loadBackup(client, backup, fresh)
    await advanceSequences(client, await listTablesCreatedByMigrations(manifest.migrations))
    // Migrates to this version, because the code that rewrites documents knows only its tables.
    await migrateDatabase(tx)
    if (documents === 'database') await storeFiles(tx, fresh)
    // The first node that starts records the folder's id.
    await recordPlace(tx, { place: documents, folderId: null })
    await rewriteDocumentsOfActiveMeetings(
      tx,
      documents === 'database' ? createDatabaseDocuments(tx) : createFolderDocuments(fresh),
    )
    return { ...totals, manifest, masterKey }
  } catch (error) {
    if (!INVALID_ROW_CODE.test(errorCode(error))) throw error
    const message = escapeControlCharacters(errorMessageOf(error).slice(0, MAX_MESSAGE_LENGTH))
    throw new OperatorError(`${backup.file} contains invalid rows: ${message}`, undefined, error)
  }
}

/** Stores the files in tables of this version. A backup of an older version does not have them while it is loaded. */
async function storeFiles(tx: Tx, fresh: string): Promise<void> {
  const files = createFolderFiles(fresh)
  for await (const { path } of files.walk()) {
    await using file = await files.open(path)
    if (file === null) continue
    await insertStoredFile(tx, { path, contents: file.chunks(), modifiedAt: file.mtime })
  }
}

/** SQLSTATE of a value that its column does not accept (22), a violated constraint (23) or an exceeded limit (54). */
const INVALID_ROW_CODE = /^(?:22|23|54)...$/
const MAX_MESSAGE_LENGTH = 300

function refuseLittleDiskSpace(root: string, { file, fileBytes }: VerifiedBackup): void {
  const [neededMb, freeMb] = [Math.ceil(fileBytes / (1024 * 1024)), readFreeDiskMb(root)]
  if (neededMb <= freeMb) return
  throw new OperatorError(
    `The files in ${file} need ${neededMb} MB, and the disk of the data folder has ${freeMb} MB free`,
    'Free some disk space, or set HANSARD_DATA to a folder on another disk',
  )
}

async function refuseOtherNodes(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())`,
  )
  if (rows[0]?.count !== '0') {
    throw new OperatorError('Other nodes use this database', 'Stop all of them first')
  }
}

async function refuseUsedTarget(
  { root, documents, isForced }: RestoreBackupOptions,
  client: PoolClient,
): Promise<DatabaseObjectsByOwner> {
  const fix =
    'Restore into an empty database and data folder, or use --force to replace the existing data'
  await refuseOtherNodes(client)
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
  if (tables.includes('stored_file')) {
    const files = createUserFiles('database', createDbOnClient(client), root)
    for await (const { path } of files.walk())
      throw new OperatorError(`The database is not empty (${path})`, fix)
  }
  if (documents === 'database') return owned
  for await (const { path } of createFolderFiles(root).walk()) {
    throw new OperatorError(`The data folder is not empty (${path})`, fix)
  }
  return owned
}

/**
 * Moves the folders in `fresh` to their places. Existing files are kept next to them, in folders with a `.before-`
 * suffix. If one folder can't be moved, all are moved back. Otherwise the restore marker stays in the data folder until
 * the caller has committed the rows.
 */
async function swapFolders({ root, fresh, file, now }: FolderSwap): Promise<void> {
  writeRestoreMarker(root, { file, since: now.toISOString() })
  const moved: Array<{ from: string; to: string }> = []
  const move = async (from: string, to: string) => {
    await rename(from, to)
    moved.push({ from, to })
  }
  try {
    for (const name of USER_FILE_FOLDERS) {
      const target = join(root, name)
      createOwnedFoldersSync(join(fresh, name), 0o755)
      if (await hasFilesInFolder(root, name))
        await move(target, formatPathBeforeRestore(target, now))
      else await rm(target, { recursive: true, force: true })
      await move(join(fresh, name), target)
    }
  } catch (error) {
    await moveBack(moved, error)
    removeRestoreMarker(root)
    throw error
  }
}

async function moveBack(
  moved: ReadonlyArray<{ from: string; to: string }>,
  cause: unknown,
): Promise<void> {
  for (const { from, to } of moved.toReversed()) {
    try {
      await rename(to, from)
    } catch (error) {
      throw new OperatorError(
        `The restore failed (${errorMessageOf(cause)}), and ${to} could not be moved back: ${errorMessageOf(error)}`,
        `Move it to ${from}, then repeat the restore`,
        cause,
      )
    }
  }
}
