import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import { removeRestoring, writeRestoring } from '../data-folder.ts'
import { migrate } from '../db/migrate.ts'
import type { Db } from '../db/open.ts'
import { ownTables } from '../db/own-tables.ts'
import { OperatorError } from '../errors.ts'
import { saveWholeDocument } from '../meetings/document.ts'
import { ACTIVE_STATUSES } from '../meetings/status.ts'
import { examine } from './examine.ts'
import { dropBelongings, findBelongings, type Belongings } from './belongings.ts'
import { FILE_ROOMS, hasFiles, walkRooms } from './files.ts'
import { fill } from './fill.ts'
import type { Manifest, Summary } from './manifest.ts'
import { advanceCounters, findUsedTable } from './tables.ts'

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
    const belongings = await refuseUsed(parts, client)
    await client.query('begin')
    await dropBelongings(client, belongings)
    // Only once nothing is in the way of it: until here all is as it was.
    writeRestoring(root, { file, since: now.toISOString() })
    await client.query('commit')
    await migrate(db, manifest.migrations.at(-1))
    const fresh = join(root, 'restore.part')
    await rm(fresh, { recursive: true, force: true })
    await client.query('begin')
    const filled = await fill(client, file, manifest, fresh)
    await advanceCounters(client, ownTables(manifest.migrations))
    await client.query('commit')
    await moveIn(root, fresh, now)
    // Before anything else reads the rows: what reads them knows only the tables of this version.
    await migrate(db)
    await writeUnfinishedDocuments(db, root)
    removeRestoring(root)
    return { ...filled, manifest }
  } finally {
    client.release(true)
  }
}

async function refuseUsed(
  { root, isForced }: RestoreParts,
  client: PoolClient,
): Promise<Belongings> {
  const mend = 'Restore into an empty place, or give --force to replace what is there'
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from pg_locks where locktype = 'advisory' and database =
      (select oid from pg_database where datname = current_database())`,
  )
  if (rows[0]?.count !== '0') {
    throw new OperatorError('Other nodes use this database', 'Stop all of them first')
  }
  const belongings = await findBelongings(client)
  const { tables, foreign, inTheWay } = belongings
  if (inTheWay !== null) {
    throw new OperatorError(
      `The database has a ${inTheWay} that is not Hansard's, under a name that it needs`,
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
  const used = await findUsedTable(client, tables)
  if (used !== null) throw new OperatorError(`The database is not empty (table ${used})`, mend)
  for await (const { path } of walkRooms(root)) {
    throw new OperatorError(`The data folder is not empty (${path})`, mend)
  }
  return belongings
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
