import type { Db } from '../../db/database.ts'
import { isTransientDatabaseError } from '../../db/transient-errors.ts'
import type { Log } from '../../log.ts'
import { formatPathInDataFolder, type DocumentRef } from '../document-ref.ts'
import type { DocumentFiles } from '../files/store/document-files.ts'
import { isFileAccessError } from '../files/walk-project.ts'
import { createIndexEntryFromFile, type IndexEntry } from './index-entry.ts'
import {
  deleteIndexedDocuments,
  findTranscriptStatesByDocumentPath,
  saveIndexEntries,
  type IndexSaveMode,
} from './index-store.ts'

export type IndexUpdateDependencies = {
  db: Db
  log: Log
  files: DocumentFiles
  /** Adds the words of newly indexed texts to the vocabulary for spelling corrections. */
  learnWords(texts: readonly string[]): Promise<void> | void
  /** Stops the update between two batches when the service shuts down. */
  signal?: AbortSignal
}

const BATCH_SIZE = 100
const MAX_ROUNDS = 5

/**
 * Updates the index rows of these documents from their files, and deletes the rows of missing files. A file that
 * changed during the update is read again. The last node that writes a row compares it with the file afterwards, so
 * several nodes may index the same file concurrently.
 */
export async function updateIndex(
  parts: IndexUpdateDependencies,
  refs: readonly DocumentRef[],
  mode: IndexSaveMode = 'if_changed',
): Promise<void> {
  for (let start = 0; start < refs.length; start += BATCH_SIZE) {
    if (parts.signal?.aborted) return
    let batch = refs.slice(start, start + BATCH_SIZE)
    for (let round = 0; round < MAX_ROUNDS && batch.length > 0; round += 1) {
      batch = await updateOnce(parts, batch, mode)
    }
    if (batch.length > 0) {
      parts.log.debug({ count: batch.length }, 'documents still changing, left to reconciliation')
    }
  }
}

/** Returns the documents that changed during the update, so they must be updated again. */
async function updateOnce(
  parts: IndexUpdateDependencies,
  refs: readonly DocumentRef[],
  mode: IndexSaveMode,
): Promise<DocumentRef[]> {
  const { db, files, learnWords } = parts
  const transcripts = await findTranscriptStatesByDocumentPath(db, refs)
  const read = await files.readMany(async (reader) =>
    Promise.all(
      refs.map(async (ref) => {
        const isMeetingTranscript = transcripts.has(formatPathInDataFolder(ref))
        return {
          ref,
          entry: await unlessUnreadable(
            createIndexEntryFromFile(files, ref, isMeetingTranscript, reader),
          ),
        }
      }),
    ),
  )
  if (read === null) return [...refs]
  const entries = read
    .map(({ entry }) => entry)
    .filter((entry) => entry !== null && entry !== UNREADABLE)
  const missing = read.filter(({ entry }) => entry === null).map(({ ref }) => ref)
  await saveAll(parts, entries, mode)
  if (missing.length > 0) await deleteIndexedDocuments(db, missing)
  await learnWords(
    entries.flatMap(({ title, passages }) => [title ?? '', ...passages.map(({ text }) => text)]),
  )
  const changed = await Promise.all(
    read.map(async ({ ref, entry }) =>
      entry === UNREADABLE || (await unlessUnreadable(isUpToDate(files, ref, entry))) ? [] : [ref],
    ),
  )
  return changed.flat()
}

/** The result for a file in an unreadable folder. Its index row stays unchanged. */
const UNREADABLE = 'unreadable'

async function unlessUnreadable<T>(reading: Promise<T>): Promise<T | typeof UNREADABLE> {
  try {
    return await reading
  } catch (error) {
    if (isFileAccessError(error)) return UNREADABLE
    throw error
  }
}

async function isUpToDate(
  files: DocumentFiles,
  ref: DocumentRef,
  entry: IndexEntry | null,
): Promise<boolean> {
  const fileInfo = await files.readInfo(ref)
  if (fileInfo === null || entry === null) return fileInfo === null && entry === null
  return entry.stamp === fileInfo.stamp || entry.stamp === `${fileInfo.stamp} unsettled`
}

/** If the database refuses the batch, saves the entries one by one, so that a bad entry does not affect others. */
async function saveAll(
  parts: IndexUpdateDependencies,
  entries: IndexEntry[],
  mode: IndexSaveMode,
): Promise<void> {
  try {
    await saveIndexEntries(parts.db, entries, mode)
  } catch (error) {
    if (isTransientDatabaseError(error)) throw error
    parts.log.debug({ err: error }, 'failed to save index entries, saving them one by one')
    for (const entry of entries) await saveSeparately(parts, entry, mode)
  }
}

async function saveSeparately(
  { db, log }: IndexUpdateDependencies,
  entry: IndexEntry,
  mode: IndexSaveMode,
): Promise<void> {
  try {
    await saveIndexEntries(db, [entry], mode)
  } catch (error) {
    if (isTransientDatabaseError(error)) throw error
    const { project, path } = entry
    log.warn({ err: error, project, path }, 'failed to index the text of a document')
    const withoutText = { title: null, meetingId: null, participants: [], passages: [] }
    await saveIndexEntries(
      db,
      [{ ...entry, ...withoutText, warning: 'The text is not searchable' }],
      mode,
    )
  }
}
