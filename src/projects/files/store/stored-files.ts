import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { DocumentDamaged } from '../document-file.ts'
import { MAX_CHUNK_BYTES, splitIntoChunks } from './chunks.ts'
import type { OpenedFile } from './document-files.ts'

/** A file in the database. Its path is relative to the data folder, as if the file were there. */
export type StoredFile = {
  path: string
  contentId: string
  size: number
  modifiedAt: Date
  version: string
}

/** A file was replaced or removed while it was read, or part of it is missing. */
export class StoredFileUnreadable extends Error {
  override readonly name = 'StoredFileUnreadable'
}

/** How much `openStoredFile` reads with its first statement. Most files are not longer. */
const FIRST_BYTES = 4 * 1024 * 1024
/** How much a stream reads with each further statement. */
const STREAM_BYTES = 4 * MAX_CHUNK_BYTES

const FILE_COLUMNS = sql`f.path, f.content_id as "contentId", f.size::float8 as size,
  f.modified_at as "modifiedAt", f.version`

export async function findStoredFile(db: Db, path: string): Promise<StoredFile | null> {
  const { rows } = await sql<StoredFile>`select ${FILE_COLUMNS} from stored_file f
    where f.path = ${path}`.execute(db)
  return rows[0] ?? null
}

/**
 * Opens a file with its first bytes, which belong to one version. The rest of a longer file is read when it is needed.
 * That fails if the file was replaced or removed in the meantime.
 */
export async function openStoredFile(
  db: Db,
  path: string,
  firstBytes = FIRST_BYTES,
): Promise<(StoredFile & OpenedFile) | null> {
  const { rows } = await sql<StoredFile & (Chunk | { position: null })>`
    select ${FILE_COLUMNS}, c.position::float8 as position, c.bytes from stored_file f
      left join stored_file_chunk c on c.content_id = f.content_id and c.position < ${firstBytes}
    where f.path = ${path} order by c.position`.execute(db)
  const [first] = rows
  if (first === undefined) return null
  const { path: _, contentId, size, modifiedAt, version } = first
  const file = { path, contentId, size, modifiedAt, version }
  const chunksAtStart = rows.filter((row) => row.position !== null)
  requireContiguous(path, chunksAtStart, 0)
  const start = Buffer.concat(chunksAtStart.map(({ bytes }) => bytes))
  const chunks = async function* () {
    if (start.length > 0) yield start.subarray(0, file.size)
    yield* readRest(db, file, start.length)
  }
  return {
    ...file,
    async read(maxBytes = file.size) {
      if (start.length >= Math.min(maxBytes, file.size)) return start.subarray(0, maxBytes)
      const read: Buffer[] = []
      let length = 0
      for await (const chunk of chunks()) {
        read.push(chunk)
        length += chunk.length
        if (length >= maxBytes) break
      }
      return Buffer.concat(read).subarray(0, maxBytes)
    },
    stream: () => Readable.from(chunks()),
    [Symbol.asyncDispose]: async () => {},
  }
}

async function* readRest(
  db: Db,
  { path, contentId, size }: StoredFile,
  from: number,
): AsyncGenerator<Buffer> {
  for (let position = from; position < size;) {
    const { rows } = await sql<Chunk>`select position::float8 as position, bytes
      from stored_file_chunk
      where content_id = ${contentId} and position >= ${position}
        and position < ${position + STREAM_BYTES} order by position`.execute(db)
    if (rows.length === 0)
      throw new StoredFileUnreadable(`the file ${path} was replaced while it was read`)
    requireContiguous(path, rows, position)
    for (const { bytes } of rows) {
      yield bytes.subarray(0, size - position)
      position += bytes.length
    }
  }
}

type Chunk = { position: number; bytes: Buffer }

/** Each chunk must begin where the previous one ends. */
function requireContiguous(path: string, chunks: readonly Chunk[], from: number): void {
  let end = from
  for (const { position, bytes } of chunks) {
    if (position !== end || bytes.length === 0)
      throw new StoredFileUnreadable(`the stored file ${path} is damaged at byte ${end}`)
    end += bytes.length
  }
}

type Contents = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

export type NewStoredFile = { path: string; contents: Contents; modifiedAt?: Date }

/** Stores a new file and returns its size. Null if a file with this path already exists. */
export async function insertStoredFile(db: Db, file: NewStoredFile): Promise<number | null> {
  return inTransaction(db, async (tx) => {
    const contentId = await nextContentId(tx)
    // The row comes first, so that another transaction that inserts the same path waits for this one.
    const inserted = await tx
      .insertInto('stored_file')
      .values({ path: file.path, content_id: contentId, size: 0, ...modifiedAtOf(file) })
      .onConflict((conflict) => conflict.column('path').doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows === 0n) return null
    const size = await insertChunks(tx, contentId, file.contents)
    await tx.updateTable('stored_file').set({ size }).where('path', '=', file.path).execute()
    return size
  })
}

/**
 * Replaces or creates a file in one transaction and returns its size. Calls `mayReplace` while the file is locked. If
 * it refuses, returns null and leaves the file.
 */
export async function replaceStoredFile(
  db: Db,
  file: NewStoredFile,
  mayReplace: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<number | null> {
  return inTransaction(db, async (tx) => {
    for (;;) {
      const old = await tx
        .selectFrom('stored_file')
        .select('content_id')
        .where('path', '=', file.path)
        .forUpdate()
        .executeTakeFirst()
      if (!(await mayReplace(tx))) return null
      if (old !== undefined) return replaceContent(tx, file, old.content_id)
      const size = await insertStoredFile(tx, file)
      if (size !== null) return size
      // Another transaction created the file after the check.
    }
  })
}

async function replaceContent(tx: Tx, file: NewStoredFile, oldContentId: string): Promise<number> {
  await tx.deleteFrom('stored_file_chunk').where('content_id', '=', oldContentId).execute()
  const contentId = await nextContentId(tx)
  const size = await insertChunks(tx, contentId, file.contents)
  await tx
    .updateTable('stored_file')
    .set({ content_id: contentId, size, version: contentId, ...modifiedAtOf(file) })
    .where('path', '=', file.path)
    .execute()
  return size
}

/**
 * Appends at `expectedSize`, as `truncateAndAppendToDocument` does in a folder. Needs one statement, unless the file is
 * longer than expected.
 */
export async function appendToStoredFile(
  db: Db,
  path: string,
  text: string,
  expectedSize: number,
): Promise<number> {
  const bytes = Buffer.from(text)
  const size = expectedSize + bytes.length
  if (bytes.length > 0 && bytes.length <= MAX_CHUNK_BYTES) {
    const { numAffectedRows } = await sql`
      with grown as (
        update stored_file set size = ${size}, modified_at = clock_timestamp(), version = default
        where path = ${path} and size = ${expectedSize} returning content_id
      )
      insert into stored_file_chunk (content_id, position, bytes)
      select content_id, ${expectedSize}, ${bytes} from grown`.execute(db)
    if (numAffectedRows === 1n) return size
  }
  return inTransaction(db, async (tx) => {
    const file = await tx
      .selectFrom('stored_file')
      .select(['content_id', 'size'])
      .where('path', '=', path)
      .forUpdate()
      .executeTakeFirst()
    if (file === undefined) throw new DocumentDamaged(path, 'does not exist')
    const found = Number(file.size)
    if (found < expectedSize)
      throw new DocumentDamaged(path, `has ${found} of ${expectedSize} bytes`)
    if (found > expectedSize) await truncateChunks(tx, file.content_id, expectedSize)
    await insertChunks(tx, file.content_id, [bytes], expectedSize)
    await sql`update stored_file set size = ${size}, modified_at = clock_timestamp(), version = default
      where path = ${path}`.execute(tx)
    return size
  })
}

/** Deletes a file. False if there is none. */
export async function deleteStoredFile(db: Db, path: string): Promise<boolean> {
  const { rows } = await sql<{ path: string }>`
    with removed as (delete from stored_file where path = ${path} returning path, content_id),
    chunks as (delete from stored_file_chunk using removed
      where stored_file_chunk.content_id = removed.content_id)
    select path from removed`.execute(db)
  return rows.length > 0
}

const LIST_PAGE_SIZE = 1_000

/** Lists the files below a folder, ordered by path. Memory use does not grow with their number. */
export async function* listStoredFiles(
  db: Db,
  folder: string,
): AsyncGenerator<StoredFile, void, undefined> {
  // "0" is the character after "/".
  for (let after = `${folder}/`; ;) {
    const { rows } = await sql<StoredFile>`select ${FILE_COLUMNS} from stored_file f
      where f.path > ${after} and f.path < ${`${folder}0`}
      order by f.path limit ${LIST_PAGE_SIZE}`.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < LIST_PAGE_SIZE) return
    after = last.path
  }
}

export async function sumStoredFileSizes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::float8 as bytes from stored_file`.execute(db)
  return rows[0]?.bytes ?? 0
}

export async function deleteAllStoredFiles(tx: Tx): Promise<void> {
  await sql`truncate stored_file, stored_file_chunk`.execute(tx)
}

/** True if there is a file below this folder. */
export async function isStoredFolder(db: Db, path: string): Promise<boolean> {
  const { rows } = await sql`select from stored_file
    where path > ${`${path}/`} and path < ${`${path}0`} limit 1`.execute(db)
  return rows.length > 0
}

/** True if a file has the name of one of the folders on this path. */
export async function isBelowStoredFile(db: Db, path: string): Promise<boolean> {
  const parts = path.split('/')
  const folders = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'))
  const { rows } = await sql`select from stored_file where path = any(${folders}::text[])
    limit 1`.execute(db)
  return rows.length > 0
}

/** First key of the advisory locks that keep a path from becoming both a file and a folder. The second is a folder. */
const NEW_PATH_LOCK_CLASS = 4747

/** Until the transaction ends, no other transaction with the same lock can create a path below this folder. */
export async function lockNewPaths(tx: Tx, folder: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${NEW_PATH_LOCK_CLASS}::int, hashtext(${folder}))`.execute(
    tx,
  )
}

/** Runs the work in the given transaction, or in a new one. */
export function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as Tx) : db.transaction().execute(work)
}

async function nextContentId(tx: Tx): Promise<string> {
  const { rows } = await sql<{ id: string }>`select nextval('stored_file_version') as id`.execute(
    tx,
  )
  if (rows[0] === undefined) throw new Error('a sequence has no next value')
  return rows[0].id
}

/** Inserts contents from a byte position on, and returns the position after them. */
async function insertChunks(
  tx: Tx,
  contentId: string,
  contents: Contents,
  from = 0,
): Promise<number> {
  let position = from
  for await (const bytes of splitIntoChunks(contents)) {
    await tx
      .insertInto('stored_file_chunk')
      .values({ content_id: contentId, position, bytes })
      .execute()
    position += bytes.length
  }
  return position
}

async function truncateChunks(tx: Tx, contentId: string, size: number): Promise<void> {
  await tx
    .deleteFrom('stored_file_chunk')
    .where('content_id', '=', contentId)
    .where('position', '>=', size)
    .execute()
  await sql`update stored_file_chunk
    set bytes = substring(bytes from 1 for (${size} - position)::int)
    where content_id = ${contentId} and position + length(bytes) > ${size}`.execute(tx)
}

function modifiedAtOf({ modifiedAt }: NewStoredFile) {
  return { modified_at: modifiedAt ?? sql<Date>`clock_timestamp()` }
}
