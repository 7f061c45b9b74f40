import { posix } from 'node:path'
import type { Db } from '../../db/database.ts'
import { isTransient } from '../../db/transient-errors.ts'
import type { Log } from '../../log.ts'
import { isFileAccessError } from '../files/file-access-errors.ts'
import { readFileInfo } from '../files/walk-project.ts'
import { absolutePath, toDocumentPath, hasNoLinks, type DocumentRef } from '../document-ref.ts'
import { readIndexEntry, type IndexEntry } from './index-entry.ts'
import { deleteDocuments, findMeetingTranscripts, saveEntries } from './index-store.ts'

export type IndexParts = {
  db: Db
  log: Log
  /** The data folder. */
  root: string
  /** Texts that have just been written down. */
  learnWords(texts: readonly string[]): void
  /** Whoever stops does not wait for all of many files. */
  signal?: AbortSignal
}

const BATCH_SIZE = 100
const MAX_ROUNDS = 5

/**
 * Brings the rows of these places level with their files, or takes them out where there is no file. A file
 * that changed in the meantime is read again: whoever writes a row last has seen that it is still right, so
 * several nodes may follow the same file at once.
 */
export async function updateIndex(
  parts: IndexParts,
  places: readonly DocumentRef[],
  isForced = false,
): Promise<void> {
  for (let start = 0; start < places.length; start += BATCH_SIZE) {
    if (parts.signal?.aborted) return
    let group = places.slice(start, start + BATCH_SIZE)
    for (let round = 0; round < MAX_ROUNDS && group.length > 0; round += 1) {
      group = await updateOnce(parts, group, isForced)
    }
  }
}

/** Answers which of them have to be followed once more. */
async function updateOnce(
  parts: IndexParts,
  places: readonly DocumentRef[],
  isForced: boolean,
): Promise<DocumentRef[]> {
  const { db, root, learnWords } = parts
  const own = await findMeetingTranscripts(db, places)
  const read = await withLinkCheck(async (isWayPlain) =>
    Promise.all(
      places.map(async (place) => {
        const isKnown = own.has(toDocumentPath(place))
        return {
          place,
          entry: await unlessUnreadable(readIndexEntry(root, place, isKnown, isWayPlain)),
        }
      }),
    ),
  )
  if (read === null) return [...places]
  const entries = read
    .map(({ entry }) => entry)
    .filter((entry) => entry !== null && entry !== UNREADABLE)
  const gone = read.filter(({ entry }) => entry === null).map(({ place }) => place)
  await saveAll(parts, entries, isForced)
  if (gone.length > 0) await deleteDocuments(db, gone)
  learnWords(entries.flatMap(({ passages }) => passages.map(({ text }) => text)))
  const again = await Promise.all(
    read.map(async ({ place, entry }) =>
      entry === UNREADABLE || (await unlessUnreadable(isUpToDate(root, place, entry)))
        ? []
        : [place],
    ),
  )
  return again.flat()
}

/** The index keeps what it has of a file whose folder does not let us look. */
const UNREADABLE = 'out of reach'

async function unlessUnreadable<T>(looking: Promise<T>): Promise<T | typeof UNREADABLE> {
  try {
    return await looking
  } catch (error) {
    if (isFileAccessError(error)) return UNREADABLE
    throw error
  }
}

type LinkCheck = typeof hasNoLinks

/** Looks at each folder once before the work and once after it. Null: one came to be a link or went away. */
async function withLinkCheck<T>(work: (isWayPlain: LinkCheck) => Promise<T>): Promise<T | null> {
  const looked = new Map<string, { root: string; place: DocumentRef; isPlain: Promise<boolean> }>()
  const isWayPlain: LinkCheck = (root, place) => {
    const folder = posix.dirname(toDocumentPath(place))
    const known = looked.get(folder) ?? { root, place, isPlain: hasNoLinks(root, place) }
    looked.set(folder, known)
    return known.isPlain
  }
  const result = await work(isWayPlain)
  for (const { root, place, isPlain } of looked.values()) {
    const [before, after] = await Promise.allSettled([isPlain, hasNoLinks(root, place)])
    const wasPlain = before.status === 'fulfilled' && before.value
    if (wasPlain && !(after.status === 'fulfilled' && after.value)) return null
  }
  return result
}

async function isUpToDate(
  root: string,
  place: DocumentRef,
  entry: IndexEntry | null,
): Promise<boolean> {
  const facts = await readFileInfo(absolutePath(root, place), place.path)
  if (facts === null || entry === null) return facts === null && entry === null
  return entry.stamp === facts.stamp || entry.stamp === `${facts.stamp} unsettled`
}

/** One entry that the database refuses costs that entry its text, and the others nothing. */
async function saveAll(parts: IndexParts, entries: IndexEntry[], isForced: boolean): Promise<void> {
  try {
    await saveEntries(parts.db, entries, isForced)
  } catch (error) {
    if (isTransient(error)) throw error
    for (const entry of entries) await saveSeparately(parts, entry, isForced)
  }
}

async function saveSeparately(
  { db, log }: IndexParts,
  entry: IndexEntry,
  isForced: boolean,
): Promise<void> {
  try {
    await saveEntries(db, [entry], isForced)
  } catch (error) {
    if (isTransient(error)) throw error
    const { project, path } = entry
    log.warn({ err: error, project, path }, 'document not searchable')
    const bare = { title: null, meetingId: null, participants: [], passages: [] }
    await saveEntries(db, [{ ...entry, ...bare, warning: 'The text cannot be searched' }], isForced)
  }
}
