import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import tar from 'tar-stream'
import { OperatorError } from '../../errors.ts'
import { preventUnhandledRejection } from '../../lib/async/await-later.ts'
import { errorCode, errorMessageOf } from '../../lib/error-code.ts'
import type { BackupTotalsAndChecksum } from './manifest.ts'

export const MANIFEST_ENTRY_NAME = 'manifest.json'
export const MASTER_KEY_ENTRY_NAME = 'master.key'
export const SUMMARY_ENTRY_NAME = 'summary.json'

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

/** The text by which the checksum covers the name and the size of an entry. */
export function formatEntryHeader({ name, size }: EntryHeader): string {
  return `${name}\0${size}\n`
}
