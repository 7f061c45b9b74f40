import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type Writable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, createGunzip } from 'node:zlib'
import tar from 'tar-stream'
import { OperatorError } from '../../lib/operator-error.ts'
import { preventUnhandledRejection } from '../../lib/async/await-later.ts'
import { errorCode, errorMessageOf } from '../../lib/error-code.ts'
import { escapeControlCharacters } from '../../lib/text/plain-text.ts'
import { BackupTotalsAndChecksum } from './manifest.ts'

export const MANIFEST_ENTRY_NAME = 'manifest.json'
export const MASTER_KEY_ENTRY_NAME = 'master.key'
export const SUMMARY_ENTRY_NAME = 'summary.json'

type EntryBody = AsyncIterable<Buffer>
export type ArchiveEntry = EntryHeader & { body: EntryBody }

/** How much a backup may expand. Rows and documents compress to about a tenth. Only crafted files exceed this. */
const MAX_EXPANSION = 100
const ALWAYS_ALLOWED_BYTES = 64 * 1024 * 1024
/** Limits the memory for the names of all entries. */
const MAX_ENTRIES = 5_000_000
/** The largest entry that is read into memory. */
const MAX_TEXT_BYTES = 1024 * 1024

const MAX_PRINTED_NAME = 200

/** The archive entry name for rows of a table. A table may have many entries. */
export function formatTableEntryName(table: string, entryNumber: number): string {
  return `tables/${table}/${String(entryNumber).padStart(6, '0')}.copy`
}

/** The table whose rows an archive entry contains. Null for other kinds of entries. */
export function parseTableEntryName(name: string): string | null {
  return /^tables\/(\w+)\/\d{6,}\.copy$/.exec(name)?.[1] ?? null
}

/** Writes a backup file: a compressed tar that ends with a checksum of its entries. */
export interface ArchiveWriter {
  add(name: string, body: Buffer): Promise<void>
  /** Adds an entry that is too large for memory. The chunks must add up to the size in the header. */
  addChunks(head: EntryHeader, chunks: AsyncIterable<Buffer>): Promise<void>
  finish(counts: Omit<BackupTotalsAndChecksum, 'sha256'>): Promise<BackupTotalsAndChecksum>
}

export type EntryHeader = { name: string; size: number; mtime?: Date }

export function createArchiveWriter(output: Writable): ArchiveWriter {
  const pack = tar.pack()
  const checksum = createHash('sha256')
  const written = preventUnhandledRejection(
    pipeline(pack, createGzip(), output).catch((error: unknown) => {
      throw writeError(error)
    }),
  )
  const failed = preventUnhandledRejection(
    written.then(() => {
      throw new Error('the archive ended early')
    }),
  )

  const addEntry: ArchiveWriter['addChunks'] = async (head, chunks) => {
    checksum.update(formatEntryHeader(head))
    const done = Promise.withResolvers<void>()
    void preventUnhandledRejection(done.promise)
    const entry = pack.entry({ mode: 0o600, ...head }, (error) =>
      error ? done.reject(error) : done.resolve(),
    )
    for await (const chunk of chunks) {
      checksum.update(chunk)
      if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), failed])
    }
    entry.end(null)
    await Promise.race([done.promise, failed])
  }
  /** After the output failed, further writes fail with a generic error. This throws the original error instead. */
  const withOriginalError = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (pack.destroyed) await written
      throw error
    }
  }
  const addChunks: ArchiveWriter['addChunks'] = (head, chunks) =>
    withOriginalError(() => addEntry(head, chunks))
  const add = (name: string, body: Buffer) =>
    addChunks({ name, size: body.length }, singleChunk(body))
  return {
    add,
    addChunks,
    finish: (counts) =>
      withOriginalError(async () => {
        const summary = { ...counts, sha256: checksum.digest('hex') }
        pack.entry({ name: SUMMARY_ENTRY_NAME, mode: 0o600 }, JSON.stringify(summary))
        pack.finalize()
        await written
        return summary
      }),
  }
}

function writeError(cause: unknown): OperatorError {
  return new OperatorError(
    `The backup could not be written: ${errorMessageOf(cause)}`,
    errorCode(cause) === 'ENOSPC'
      ? 'Free some disk space, or choose another path with -o'
      : undefined,
    cause,
  )
}

async function* singleChunk(body: Buffer) {
  yield body
}

/** The text that covers an entry's name and size in the checksum. */
export function formatEntryHeader({ name, size }: EntryHeader): string {
  return `${name}\0${size}\n`
}

/** The size of a backup file. Throws if it is not a regular file, because it is read twice, unlike a pipe. */
export async function readRegularFileSize(file: string): Promise<number> {
  const found = await stat(file).catch((error: unknown) => {
    throw damagedError(file, errorMessageOf(error), error)
  })
  if (!found.isFile()) throw damagedError(file, 'it is not a regular file')
  return found.size
}

/** The maximum number of bytes that a backup file of this size may expand to. */
export function chooseMaxExpandedBytes(fileSize: number): number {
  return Math.max(ALWAYS_ALLOWED_BYTES, fileSize * MAX_EXPANSION)
}

/**
 * Calls `onEntry` with each entry of a backup. The next one follows when the promise is fulfilled. When the summary is
 * returned, the checksum has confirmed that all entries are complete and unchanged.
 */
export async function readArchive(
  file: string,
  maxExpandedBytes: number,
  onEntry: (entry: ArchiveEntry) => Promise<void>,
): Promise<BackupTotalsAndChecksum> {
  const extract = tar.extract()
  const checksum = createHash('sha256')
  const limit = createByteLimit(file, maxExpandedBytes)
  const reading = preventUnhandledRejection(
    pipeline(createReadStream(file), createGunzip(), limit, extract),
  )
  let summary: BackupTotalsAndChecksum | null = null
  let count = 0
  let isHandling = false
  try {
    for await (const entry of extract) {
      const { name, size, mtime, type } = entry.header
      count += 1
      if (type !== 'file' || summary !== null) throw unexpectedEntryError(file, name)
      if (size > maxExpandedBytes) throw expansionError(file, maxExpandedBytes)
      if (count > MAX_ENTRIES) throw damagedError(file, `more than ${MAX_ENTRIES} entries`)
      if (name === SUMMARY_ENTRY_NAME) {
        const text = await readEntryText(file, { name, size, body: entry as EntryBody })
        summary = BackupTotalsAndChecksum.parse(JSON.parse(text))
        if (summary.sha256 !== checksum.digest('hex'))
          throw damagedError(file, 'its checksum is wrong')
        continue
      }
      checksum.update(formatEntryHeader({ name, size }))
      const body = withChecksum(file, entry as EntryBody, (chunk) => void checksum.update(chunk))
      isHandling = true
      await onEntry({ name, size, ...(mtime !== undefined && { mtime }), body })
      isHandling = false
    }
    await reading
  } catch (error) {
    // An error of `onEntry` is not the file's fault. Read errors of a body already have a description.
    if (isHandling || error instanceof OperatorError) throw error
    throw damagedError(file, errorMessageOf(error), error)
  }
  if (summary === null) throw damagedError(file, 'its end is missing')
  return summary
}

/** The text of a small entry. Refuses an entry that is too large for memory. */
export async function readEntryText(
  file: string,
  { name, size, body }: ArchiveEntry,
): Promise<string> {
  if (size > MAX_TEXT_BYTES) throw damagedError(file, `${printableName(name)} is too large`)
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** Ends the stream with an error if more bytes pass than the file may expand to. */
function createByteLimit(file: string, maxBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) done(expansionError(file, maxBytes))
      else done(null, chunk)
    },
  })
}

/** Yields the chunks of an archive entry, adds each to the checksum, and reports read errors as a damaged file. */
async function* withChecksum(file: string, body: EntryBody, add: (chunk: Buffer) => void) {
  try {
    for await (const chunk of body) {
      add(chunk)
      yield chunk
    }
  } catch (error) {
    throw error instanceof OperatorError ? error : damagedError(file, errorMessageOf(error), error)
  }
}

export function damagedError(file: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError(`${file} is damaged or not a Hansard backup: ${why}`, undefined, cause)
}

export function unexpectedEntryError(file: string, name: string): OperatorError {
  return damagedError(file, `unexpected entry ${printableName(name)}`)
}

function expansionError(file: string, maxBytes: number): OperatorError {
  return new OperatorError(
    `${file} expands to more than ${Math.round(maxBytes / (1024 * 1024))} MB, which is unusual for a backup of its size`,
    'If you trust the file, repeat the command with --any-size',
  )
}

/** A name from an archive for a message: short, and without characters that control a terminal. */
export function printableName(name: string): string {
  return escapeControlCharacters(name.slice(0, MAX_PRINTED_NAME))
}
