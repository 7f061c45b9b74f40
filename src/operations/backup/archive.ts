import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import tar from 'tar-stream'
import { OperatorError } from '../../errors.ts'
import { preventUnhandledRejection } from '../../lib/async/await-later.ts'
import { errorCode, errorMessageOf } from '../../lib/error-code.ts'
import { BackupTotalsAndChecksum } from './manifest.ts'

export const MANIFEST_ENTRY_NAME = 'manifest.json'
export const MASTER_KEY_ENTRY_NAME = 'master.key'
const SUMMARY_ENTRY = 'summary.json'

/** The name of an archive entry with rows of a table; a table may have many entries. */
export function formatTableEntryName(table: string, entryNumber: number): string {
  return `tables/${table}/${String(entryNumber).padStart(6, '0')}.copy`
}

/** The table whose rows an archive entry contains; null when the entry is of another kind. */
export function parseTableEntryName(name: string): string | null {
  return /^tables\/(\w+)\/\d{6,}\.copy$/.exec(name)?.[1] ?? null
}

/** Writes a backup file: a compressed tar that ends with a checksum of its entries. */
export interface ArchiveWriter {
  add(name: string, body: Buffer): Promise<void>
  /** Adds an entry that is too large for memory; the chunks must add up to the size in the header. */
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
    checksum.update(headerText(head))
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
  /** After the output has failed, further writes fail with a generic error; this throws the original error instead. */
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
        pack.entry({ name: SUMMARY_ENTRY, mode: 0o600 }, JSON.stringify(summary))
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

type EntryBody = AsyncIterable<Buffer>
export type ArchiveEntry = EntryHeader & { body: EntryBody }

/**
 * Yields the entries of a backup; each must be read before the next one. When the generator returns the summary, the
 * checksum has confirmed that all entries are complete and unchanged.
 */
export async function* readArchive(
  file: string,
): AsyncGenerator<ArchiveEntry, BackupTotalsAndChecksum, undefined> {
  const extract = tar.extract()
  const checksum = createHash('sha256')
  const reading = preventUnhandledRejection(
    pipeline(createReadStream(file), createGunzip(), extract),
  )
  let summary: BackupTotalsAndChecksum | null = null
  try {
    for await (const entry of extract) {
      const { name, size, mtime, type } = entry.header
      if (type !== 'file' || summary !== null) throw damagedError(file, `unexpected entry ${name}`)
      if (name === SUMMARY_ENTRY) {
        summary = BackupTotalsAndChecksum.parse(JSON.parse(await readEntryText(entry as EntryBody)))
        if (summary.sha256 !== checksum.digest('hex'))
          throw damagedError(file, 'its checksum is wrong')
        continue
      }
      checksum.update(headerText({ name, size }))
      const body = withChecksum(file, entry as EntryBody, (chunk) => void checksum.update(chunk))
      yield { name, size, ...(mtime !== undefined && { mtime }), body }
    }
    await reading
  } catch (error) {
    throw error instanceof OperatorError ? error : damagedError(file, errorMessageOf(error), error)
  }
  if (summary === null) throw damagedError(file, 'its end is missing')
  return summary
}

export async function readEntryText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** Yields the chunks of an archive entry, passes each to the checksum, and reports read errors as a damaged file. */
async function* withChecksum(file: string, body: EntryBody, add: (chunk: Buffer) => void) {
  try {
    for await (const chunk of body) {
      add(chunk)
      yield chunk
    }
  } catch (error) {
    throw damagedError(file, errorMessageOf(error), error)
  }
}

async function* singleChunk(body: Buffer) {
  yield body
}

function headerText({ name, size }: EntryHeader): string {
  return `${name}\0${size}\n`
}

function damagedError(file: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError(`${file} is damaged or not a Hansard backup: ${why}`, undefined, cause)
}
