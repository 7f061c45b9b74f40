import type { Writable } from 'node:stream'
import type { Pool, PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Db } from '../../db/database.ts'
import { createDbOnClient } from '../../db/lost-connections.ts'
import {
  isKnownMigration,
  listTablesCreatedByMigrations,
  readAppliedMigrations,
} from '../../db/migrate.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { ACTIVE_STATUSES } from '../../meetings/status.ts'
import { readRecordedPlace } from '../../projects/document-place.ts'
import {
  createArchiveWriter,
  MANIFEST_ENTRY_NAME,
  MASTER_KEY_ENTRY_NAME,
  formatTableEntryName,
  type ArchiveWriter,
} from './archive.ts'
import { groupIntoBatches, createUserFiles } from './data-files.ts'
import {
  BACKUP_FORMAT_AND_VERSION,
  type BackupManifest,
  type BackupTotalsAndChecksum,
} from './manifest.ts'
import { listBackupTables, quoteIdentifier, type BackupTable } from './backup-tables.ts'

export type WriteBackupOptions = {
  db: Db
  pool: Pool
  /** Path of the data folder. */
  root: string
  version: string
  now: Date
  /** Called with the path of each entry that is not backed up because it is not a file, such as a link. */
  onSkipped(path: string): void
  /** The master key to include in the backup, or null. A backup with the key must be protected like the key itself. */
  masterKey: Buffer | null
}

/** Approximate size of one archive entry with table rows. A table may need many entries. */
const TABLE_ENTRY_BYTES = 1024 * 1024
const PATHS_PER_QUERY = 500

/**
 * Writes a backup to the output, even while the service is running: one consistent snapshot of the database, and the
 * files that belong to it.
 */
export async function writeBackup(
  parts: WriteBackupOptions,
  output: Writable,
): Promise<BackupTotalsAndChecksum> {
  const migrations = await readAppliedMigrations(parts.db)
  if (migrations.length === 0)
    throw new OperatorError('There is nothing to back up: the database is empty')
  if (!migrations.every(isKnownMigration)) {
    throw new OperatorError(
      'The database was migrated by a newer version of Hansard',
      'Create the backup with that version',
    )
  }
  const client = await parts.pool.connect()
  try {
    await client.query('begin transaction isolation level repeatable read read only')
    const tables = await listBackupTables(client, await listTablesCreatedByMigrations(migrations))
    const archive = createArchiveWriter(output)
    const manifest: BackupManifest = {
      ...BACKUP_FORMAT_AND_VERSION,
      version: parts.version,
      createdAt: parts.now.toISOString(),
      migrations,
      tables,
      hasMasterKey: parts.masterKey !== null,
    }
    await archive.add(MANIFEST_ENTRY_NAME, Buffer.from(JSON.stringify(manifest, null, 2)))
    if (parts.masterKey !== null) {
      await archive.add(MASTER_KEY_ENTRY_NAME, Buffer.from(parts.masterKey.toString('base64')))
    }
    const rows: Record<string, number> = {}
    for (const table of tables) rows[table.name] = await addTable(archive, client, table)
    const files = await addFiles(archive, client, parts)
    return await archive.finish({ rows, files })
  } finally {
    // Closing the connection also ends the transaction, in any state.
    client.release(true)
  }
}

async function addTable(
  archive: ArchiveWriter,
  client: PoolClient,
  { name, columns }: BackupTable,
): Promise<number> {
  const list = columns.map(quoteIdentifier).join(', ')
  const rows = client.query(copyTo(`copy (select ${list} from ${quoteIdentifier(name)}) to stdout`))
  let part = 0
  for await (const body of splitAtRowEnds(rows as AsyncIterable<Buffer>)) {
    part += 1
    await archive.add(formatTableEntryName(name, part), body)
  }
  return rows.rowCount
}

const LINE_END = 0x0a

/** Regroups a table's rows into pieces of about `TABLE_ENTRY_BYTES` that end with a row: a line in COPY format. */
async function* splitAtRowEnds(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    waiting.push(chunk)
    size += chunk.length
    const end = chunk.lastIndexOf(LINE_END) + 1
    if (size < TABLE_ENTRY_BYTES || end === 0) continue
    const all = Buffer.concat(waiting)
    const cut = size - chunk.length + end
    yield all.subarray(0, cut)
    waiting = [all.subarray(cut)]
    size -= cut
  }
  if (size > 0) yield Buffer.concat(waiting)
}

async function addFiles(
  archive: ArchiveWriter,
  client: PoolClient,
  { db, root, onSkipped }: WriteBackupOptions,
): Promise<number> {
  let count = 0
  const snapshot = createDbOnClient(client)
  const { place } = await readRecordedPlace(snapshot)
  const files = createUserFiles(place, snapshot, root)
  for await (const batch of groupIntoBatches(files.walk(), PATHS_PER_QUERY)) {
    const changing = await findChangingDocuments(
      client,
      db,
      batch.map(({ path }) => path),
    )
    for (const { path, isFile } of batch) {
      if (!isFile) onSkipped(path)
      if (!isFile || changing.has(path)) continue
      await using file = await files.open(path)
      if (file === null) continue
      const { size, mtime } = file
      await archive.addChunks({ name: `files/${path}`, size, mtime }, file.chunks())
      count += 1
    }
  }
  return count
}

/**
 * Documents that may be newer than the database snapshot. They belong to meetings that were active in it, whose
 * documents a restore rewrites from their segments, or to meetings that started later.
 */
async function findChangingDocuments(
  client: PoolClient,
  db: Db,
  paths: string[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ path: string; isActive: boolean }>(
    `select document_path as path, status = any($2) as "isActive" from meeting where document_path = any($1)`,
    [paths, ACTIVE_STATUSES],
  )
  const then = new Set(rows.map(({ path }) => path))
  const now = await db
    .selectFrom('meeting')
    .select('document_path')
    .where('document_path', 'in', paths)
    .execute()
  const later = now.flatMap(({ document_path: path }) =>
    path === null || then.has(path) ? [] : [path],
  )
  const active = rows.filter(({ isActive }) => isActive).map(({ path }) => path)
  return new Set([...active, ...later])
}
