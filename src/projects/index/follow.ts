import type { Db } from '../../db/open.ts'
import { isPassing } from '../../db/passing-trouble.ts'
import type { Log } from '../../log.ts'
import { factsOf } from '../files/walk.ts'
import { absolutePath, documentPathOf, type Place } from '../place.ts'
import { examine, type Entry } from './examine.ts'
import { forgetDocuments, readOwn, saveEntries } from './store.ts'

export type IndexParts = {
  db: Db
  log: Log
  /** The data folder. */
  root: string
  /** Texts that have just been written down. */
  learn(texts: readonly string[]): void
}

const AT_ONCE = 100
const MAX_ROUNDS = 5

/**
 * Brings the rows of these places level with their files, or takes them out where there is no file. A file
 * that changed in the meantime is read again: whoever writes a row last has seen that it is still right, so
 * several nodes may follow the same file at once.
 */
export async function follow(
  parts: IndexParts,
  places: readonly Place[],
  isForced = false,
): Promise<void> {
  for (let start = 0; start < places.length; start += AT_ONCE) {
    let group = places.slice(start, start + AT_ONCE)
    for (let round = 0; round < MAX_ROUNDS && group.length > 0; round += 1) {
      group = await followOnce(parts, group, isForced)
    }
  }
}

/** Answers which of them have to be followed once more. */
async function followOnce(
  parts: IndexParts,
  places: readonly Place[],
  isForced: boolean,
): Promise<Place[]> {
  const { db, root, learn } = parts
  const own = await readOwn(db, places)
  const read = await Promise.all(
    places.map(async (place) => {
      return { place, entry: await examine(root, place, own.has(documentPathOf(place))) }
    }),
  )
  const entries = read.map(({ entry }) => entry).filter((entry) => entry !== null)
  const gone = read.filter(({ entry }) => entry === null).map(({ place }) => place)
  await save(parts, entries, isForced)
  if (gone.length > 0) await forgetDocuments(db, gone)
  learn(entries.flatMap(({ passages }) => passages.map(({ text }) => text)))
  const again = await Promise.all(
    read.map(async ({ place, entry }) => ((await isLevel(root, place, entry)) ? [] : [place])),
  )
  return again.flat()
}

async function isLevel(root: string, place: Place, entry: Entry | null): Promise<boolean> {
  const facts = await factsOf(absolutePath(root, place), place.path)
  if (facts === null || entry === null) return facts === null && entry === null
  return entry.stamp === facts.stamp || entry.stamp === `${facts.stamp} unsettled`
}

/** One entry that the database refuses costs that entry its text, and the others nothing. */
async function save(parts: IndexParts, entries: Entry[], isForced: boolean): Promise<void> {
  try {
    await saveEntries(parts.db, entries, isForced)
  } catch (error) {
    if (isPassing(error)) throw error
    for (const entry of entries) await saveApart(parts, entry, isForced)
  }
}

async function saveApart({ db, log }: IndexParts, entry: Entry, isForced: boolean): Promise<void> {
  try {
    await saveEntries(db, [entry], isForced)
  } catch (error) {
    if (isPassing(error)) throw error
    const { project, path } = entry
    log.warn({ err: error, project, path }, 'document not searchable')
    const bare = { title: null, meetingId: null, participants: [], passages: [] }
    await saveEntries(db, [{ ...entry, ...bare, warning: 'The text cannot be searched' }], isForced)
  }
}
