import type { Writable } from 'node:stream'
import { join } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { appliedMigrations, isKnownMigration } from '../db/migrate.ts'
import type { Db } from '../db/open.ts'
import { ownTables } from '../db/own-tables.ts'
import { OperatorError } from '../errors.ts'
import { ACTIVE_STATUSES } from '../meetings/status.ts'
import { createArchive, MANIFEST, MASTER_KEY, tablePart, type ArchiveWriter } from './archive.ts'
import { inPortions, openFile, walkRooms } from './files.ts'
import { FORMAT, type Manifest, type Summary } from './manifest.ts'
import { listTables, quote, type Table } from './tables.ts'

export type BackupParts = {
  db: Db
  pool: Pool
  /** The data folder. */
  root: string
  version: string
  now: Date
  /** Told of what is there but is no file, such as a link. */
  onLeftOut(path: string): void
  /** Put into the backup when given: then the file is as secret as the key. */
  masterKey: Buffer | null
}

/** Rows of one entry; a table may take many. */
const PART_BYTES = 1024 * 1024
const PORTION = 500

/**
 * Writes everything to the output, while the service runs: the database as it is at one moment, and the files
 * that belong to that moment.
 */
export async function backUp(parts: BackupParts, output: Writable): Promise<Summary> {
  const migrations = await appliedMigrations(parts.db)
  if (migrations.length === 0) throw new OperatorError('There is nothing to back up: no database')
  if (!migrations.every(isKnownMigration)) {
    throw new OperatorError(
      'The database was migrated by a newer version of Hansard',
      'Make the backup with that version',
    )
  }
  const client = await parts.pool.connect()
  try {
    await client.query('begin transaction isolation level repeatable read read only')
    const tables = await listTables(client, ownTables(migrations))
    const archive = createArchive(output)
    const manifest: Manifest = {
      ...FORMAT,
      version: parts.version,
      createdAt: parts.now.toISOString(),
      migrations,
      tables,
      hasMasterKey: parts.masterKey !== null,
    }
    await archive.add(MANIFEST, Buffer.from(JSON.stringify(manifest, null, 2)))
    if (parts.masterKey !== null) {
      await archive.add(MASTER_KEY, Buffer.from(parts.masterKey.toString('base64')))
    }
    const rows: Record<string, number> = {}
    for (const table of tables) rows[table.name] = await addTable(archive, client, table)
    const files = await addFiles(archive, client, parts)
    return await archive.finish({ rows, files })
  } finally {
    // Ends the transaction too, whatever became of it.
    client.release(true)
  }
}

async function addTable(
  archive: ArchiveWriter,
  client: PoolClient,
  { name, columns }: Table,
): Promise<number> {
  const list = columns.map(quote).join(', ')
  const rows = client.query(copyTo(`copy (select ${list} from ${quote(name)}) to stdout`))
  let part = 0
  for await (const body of wholeRows(rows as AsyncIterable<Buffer>)) {
    part += 1
    await archive.add(tablePart(name, part), body)
  }
  return rows.rowCount
}

const LINE_END = 0x0a

/** Pieces of about the size of an entry that end where a row does: in this format a row is a line. */
async function* wholeRows(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const piece of pieces) {
    waiting.push(piece)
    size += piece.length
    const end = piece.lastIndexOf(LINE_END) + 1
    if (size < PART_BYTES || end === 0) continue
    const all = Buffer.concat(waiting)
    const cut = size - piece.length + end
    yield all.subarray(0, cut)
    waiting = [all.subarray(cut)]
    size -= cut
  }
  if (size > 0) yield Buffer.concat(waiting)
}

async function addFiles(
  archive: ArchiveWriter,
  client: PoolClient,
  { db, root, onLeftOut }: BackupParts,
): Promise<number> {
  let count = 0
  for await (const portion of inPortions(walkRooms(root), PORTION)) {
    const unsettled = await findUnsettled(
      client,
      db,
      portion.map(({ path }) => path),
    )
    for (const { path, isFile } of portion) {
      if (!isFile) onLeftOut(path)
      if (!isFile || unsettled.has(path)) continue
      await using file = await openFile(join(root, path))
      if (file === null) continue
      const { size, mtime } = file
      await archive.addPieces({ name: `files/${path}`, size, mtime }, file.pieces())
      count += 1
    }
  }
  return count
}

/**
 * Documents whose file may say more than the moment of the backup knows: of meetings that were going on then,
 * which a restore writes anew from their segments, and of meetings that began later.
 */
async function findUnsettled(client: PoolClient, db: Db, paths: string[]): Promise<Set<string>> {
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
  const goingOn = rows.filter(({ isActive }) => isActive).map(({ path }) => path)
  return new Set([...goingOn, ...later])
}
