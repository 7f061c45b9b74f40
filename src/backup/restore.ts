import { strict as assert } from 'node:assert'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Pool, PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { removeRestoring, writeRestoring } from '../data-folder.ts'
import { migrate } from '../db/migrate.ts'
import type { Db } from '../db/open.ts'
import { OperatorError } from '../errors.ts'
import { saveWholeDocument } from '../meetings/document.ts'
import { ACTIVE_STATUSES } from '../meetings/status.ts'
import { MANIFEST, readArchive, textOf, type ArchiveEntry } from './archive.ts'
import { FILE_ROOMS, hasFiles, isFilePath, walkRooms } from './files.ts'
import { parseManifest, type Manifest, type Summary } from './manifest.ts'
import { advanceCounters, dropAll, findUsedTable, quote } from './tables.ts'

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

export type Restored = Summary & { manifest: Manifest; masterKey: string | null }

/**
 * Puts a backup into an empty database and an empty data folder. The whole file is read and found right before
 * anything is changed; from then until the end a mark in the data folder keeps services from starting there.
 */
export async function restore(parts: RestoreParts): Promise<Restored> {
  const { db, pool, root, file, now } = parts
  const manifest = await examine(file)
  const client = await pool.connect()
  try {
    await refuseUsed(parts, client)
    writeRestoring(root, { file, since: now.toISOString() })
    await dropAll(client)
    await migrate(db, manifest.migrations.at(-1))
    const fresh = join(root, 'restore.part')
    await rm(fresh, { recursive: true, force: true })
    await client.query('begin')
    const filled = await fill(client, file, manifest, fresh)
    await advanceCounters(client)
    await client.query('commit')
    await moveIn(root, fresh, now)
    await writeUnfinishedDocuments(db, root)
    await migrate(db)
    removeRestoring(root)
    return { ...filled, manifest }
  } finally {
    client.release(true)
  }
}

/** Reads a backup from its first byte to its last and says what it is; throws when anything is wrong. */
export async function examine(file: string): Promise<Manifest> {
  let manifest: Manifest | null = null
  const entries = readArchive(file)
  for (;;) {
    const { done, value } = await entries.next()
    if (done) break
    if (manifest === null) {
      if (value.name !== MANIFEST) throw foreign(file, value.name)
      manifest = parseManifest(await textOf(value.body), file)
      continue
    }
    checkName(file, value.name, manifest)
    for await (const piece of value.body) assert.ok(piece)
  }
  if (manifest === null) throw new OperatorError(`${file} is not a backup of Hansard`)
  return manifest
}

const TABLE_PART = /^tables\/(\w+)\/\d{6,}\.copy$/

function checkName(file: string, name: string, { tables, hasMasterKey }: Manifest): void {
  const table = TABLE_PART.exec(name)?.[1]
  if (table !== undefined && tables.some((known) => known.name === table)) return
  if (name === 'master.key' && hasMasterKey) return
  if (name.startsWith('files/') && isFilePath(name.slice('files/'.length))) return
  throw foreign(file, name)
}

async function refuseUsed({ root, isForced }: RestoreParts, client: PoolClient): Promise<void> {
  const mend = 'Restore into an empty place, or give --force to replace what is there'
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from pg_locks where locktype = 'advisory' and database =
      (select oid from pg_database where datname = current_database())`,
  )
  if (rows[0]?.count !== '0') {
    throw new OperatorError('Other nodes use this database', 'Stop all of them first')
  }
  if (isForced) return
  const used = await findUsedTable(client)
  if (used !== null) throw new OperatorError(`The database is not empty (table ${used})`, mend)
  for await (const { path } of walkRooms(root)) {
    throw new OperatorError(`The data folder is not empty (${path})`, mend)
  }
}

/** All rows in one transaction, the files beside those that are there. Nothing counts yet when it returns. */
async function fill(
  client: PoolClient,
  file: string,
  manifest: Manifest,
  fresh: string,
): Promise<Summary & { masterKey: string | null }> {
  const entries = readArchive(file)
  const rows = new Map<string, number>()
  let masterKey: string | null = null
  for (;;) {
    const { done, value } = await entries.next()
    if (done) {
      for (const [name, count] of Object.entries(value.rows)) {
        if ((rows.get(name) ?? 0) !== count)
          throw new OperatorError(`${file}: rows of ${name} are missing`)
      }
      return { ...value, masterKey }
    }
    const table = TABLE_PART.exec(value.name)?.[1]
    if (value.name === MANIFEST) await textOf(value.body)
    else if (value.name === 'master.key') masterKey = await textOf(value.body)
    else if (table === undefined) await writeFile(fresh, value)
    else rows.set(table, (rows.get(table) ?? 0) + (await addRows(client, table, manifest, value)))
  }
}

async function addRows(
  client: PoolClient,
  table: string,
  { tables }: Manifest,
  { body }: ArchiveEntry,
): Promise<number> {
  const columns = tables.find(({ name }) => name === table)?.columns ?? []
  const into = client.query(
    copyFrom(`copy ${quote(table)} (${columns.map(quote).join(', ')}) from stdin`),
  )
  await pipeline(body, into)
  return into.rowCount
}

async function writeFile(fresh: string, { name, mtime, body }: ArchiveEntry): Promise<void> {
  const path = join(fresh, name.slice('files/'.length))
  await mkdir(dirname(path), { recursive: true, mode: 0o755 })
  await using handle = await open(path, 'wx', 0o644)
  for await (const piece of body) await handle.write(piece)
  if (mtime !== undefined) await handle.utimes(mtime, mtime)
  await handle.sync()
}

/** What was there, if anything, stays beside it under another name. */
async function moveIn(root: string, fresh: string, now: Date): Promise<void> {
  const stamp = now.toISOString().replaceAll(/[:.]/g, '-')
  for (const room of FILE_ROOMS) {
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

function foreign(file: string, name: string): OperatorError {
  return new OperatorError(`${file} is not a backup of Hansard: ${name} does not belong there`)
}
