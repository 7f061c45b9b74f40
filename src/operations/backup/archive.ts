import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import tar from 'tar-stream'
import { OperatorError } from '../../errors.ts'
import { errorCode, messageOf } from '../../lib/error-code.ts'
import { BackupSummary } from './manifest.ts'

export const MANIFEST_ENTRY = 'manifest.json'
export const MASTER_KEY_ENTRY = 'master.key'
const SUMMARY_ENTRY = 'summary.json'

/** The name of an entry with rows; a table may have many. */
export function tableEntryName(table: string, number: number): string {
  return `tables/${table}/${String(number).padStart(6, '0')}.copy`
}

/** The table whose rows an entry of this name holds. */
export function tableOfEntry(name: string): string | null {
  return /^tables\/(\w+)\/\d{6,}\.copy$/.exec(name)?.[1] ?? null
}

/** Writes a backup: a compressed tar that ends with a sum over itself. */
export interface ArchiveWriter {
  add(name: string, body: Buffer): Promise<void>
  /** For what is too large to be held; the pieces must be of that size together. */
  addChunks(head: EntryHeader, pieces: AsyncIterable<Buffer>): Promise<void>
  finish(counts: Omit<BackupSummary, 'sha256'>): Promise<BackupSummary>
}

export type EntryHeader = { name: string; size: number; mtime?: Date }

export function createArchiveWriter(output: Writable): ArchiveWriter {
  const pack = tar.pack()
  const sum = createHash('sha256')
  const written = pipeline(pack, createGzip(), output).catch((error: unknown) => {
    throw writeError(error)
  })
  // Reported by whatever waits for it next.
  void Promise.allSettled([written])
  const failed = written.then(() => {
    throw new Error('the archive ended early')
  })
  void Promise.allSettled([failed])

  const addEntry: ArchiveWriter['addChunks'] = async (head, pieces) => {
    sum.update(headerText(head))
    const done = Promise.withResolvers<void>()
    void Promise.allSettled([done.promise])
    const entry = pack.entry({ mode: 0o600, ...head }, (error) =>
      error ? done.reject(error) : done.resolve(),
    )
    for await (const piece of pieces) {
      sum.update(piece)
      if (!entry.write(piece)) await Promise.race([once(entry, 'drain'), failed])
    }
    entry.end(null)
    await Promise.race([done.promise, failed])
  }
  /** Once the output has failed, all else only says that it is gone: then the reason is told. */
  const withReason = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (pack.destroyed) await written
      throw error
    }
  }
  const addChunks: ArchiveWriter['addChunks'] = (head, pieces) =>
    withReason(() => addEntry(head, pieces))
  const add = (name: string, body: Buffer) =>
    addChunks({ name, size: body.length }, singleChunk(body))
  return {
    add,
    addChunks,
    finish: (counts) =>
      withReason(async () => {
        const summary = { ...counts, sha256: sum.digest('hex') }
        pack.entry({ name: SUMMARY_ENTRY, mode: 0o600 }, JSON.stringify(summary))
        pack.finalize()
        await written
        return summary
      }),
  }
}

function writeError(cause: unknown): OperatorError {
  return new OperatorError(
    `The backup cannot be written: ${messageOf(cause)}`,
    errorCode(cause) === 'ENOSPC'
      ? 'Free some disk space, or name another place with -o'
      : undefined,
    cause,
  )
}

type EntryBody = AsyncIterable<Buffer>
export type ArchiveEntry = EntryHeader & { body: EntryBody }

/**
 * The entries of a backup, each to be read before the next is asked for. Whoever gets to the end, which
 * returns the summary, has seen everything that was written, unchanged.
 */
export async function* readArchive(
  file: string,
): AsyncGenerator<ArchiveEntry, BackupSummary, undefined> {
  const extract = tar.extract()
  const sum = createHash('sha256')
  const reading = pipeline(createReadStream(file), createGunzip(), extract)
  void Promise.allSettled([reading])
  let summary: BackupSummary | null = null
  try {
    for await (const entry of extract) {
      const { name, size, mtime, type } = entry.header
      if (type !== 'file' || summary !== null)
        throw damagedError(file, `${name} does not belong there`)
      if (name === SUMMARY_ENTRY) {
        summary = BackupSummary.parse(JSON.parse(await readBodyText(entry as EntryBody)))
        if (summary.sha256 !== sum.digest('hex')) throw damagedError(file, 'its sum is not right')
        continue
      }
      sum.update(headerText({ name, size }))
      const body = withChecksum(file, entry as EntryBody, (piece) => void sum.update(piece))
      yield { name, size, ...(mtime !== undefined && { mtime }), body }
    }
    await reading
  } catch (error) {
    throw error instanceof OperatorError ? error : damagedError(file, messageOf(error), error)
  }
  if (summary === null) throw damagedError(file, 'its end is missing')
  return summary
}

export async function readBodyText(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

/** What is wrong with the file shows while its entries are read, in the hands of whoever reads. */
async function* withChecksum(file: string, body: EntryBody, add: (piece: Buffer) => void) {
  try {
    for await (const piece of body) {
      add(piece)
      yield piece
    }
  } catch (error) {
    throw damagedError(file, messageOf(error), error)
  }
}

async function* singleChunk(body: Buffer) {
  yield body
}

function headerText({ name, size }: EntryHeader): string {
  return `${name}\0${size}\n`
}

function damagedError(file: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError(`${file} is damaged or not a backup: ${why}`, undefined, cause)
}
