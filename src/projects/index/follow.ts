import { posix } from 'node:path'
import type { Db } from '../../db/open.ts'
import { isPassing } from '../../db/passing-trouble.ts'
import type { Log } from '../../log.ts'
import { isOutOfReach } from '../files/out-of-reach.ts'
import { factsOf } from '../files/walk.ts'
import { absolutePath, documentPathOf, isWithoutLinks, type Place } from '../place.ts'
import { examine, type Entry } from './examine.ts'
import { forgetDocuments, readOwn, saveEntries } from './store.ts'

export type IndexParts = {
  db: Db
  log: Log
  /** The data folder. */
  root: string
  /** Texts that have just been written down. */
  learn(texts: readonly string[]): void
  /** Whoever stops does not wait for all of many files. */
  signal?: AbortSignal
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
    if (parts.signal?.aborted) return
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
  const read = await withPlainWays(async (isWayPlain) =>
    Promise.all(
      places.map(async (place) => {
        const isKnown = own.has(documentPathOf(place))
        return { place, entry: await whereReached(examine(root, place, isKnown, isWayPlain)) }
      }),
    ),
  )
  if (read === null) return [...places]
  const entries = read
    .map(({ entry }) => entry)
    .filter((entry) => entry !== null && entry !== OUT_OF_REACH)
  const gone = read.filter(({ entry }) => entry === null).map(({ place }) => place)
  await save(parts, entries, isForced)
  if (gone.length > 0) await forgetDocuments(db, gone)
  learn(entries.flatMap(({ passages }) => passages.map(({ text }) => text)))
  const again = await Promise.all(
    read.map(async ({ place, entry }) =>
      entry === OUT_OF_REACH || (await whereReached(isLevel(root, place, entry))) ? [] : [place],
    ),
  )
  return again.flat()
}

/** The index keeps what it has of a file whose folder does not let us look. */
const OUT_OF_REACH = 'out of reach'

async function whereReached<T>(looking: Promise<T>): Promise<T | typeof OUT_OF_REACH> {
  try {
    return await looking
  } catch (error) {
    if (isOutOfReach(error)) return OUT_OF_REACH
    throw error
  }
}

type IsWayPlain = typeof isWithoutLinks

/** Looks at each folder once before the work and once after it. Null: one came to be a link or went away. */
async function withPlainWays<T>(work: (isWayPlain: IsWayPlain) => Promise<T>): Promise<T | null> {
  const looked = new Map<string, { root: string; place: Place; isPlain: Promise<boolean> }>()
  const isWayPlain: IsWayPlain = (root, place) => {
    const folder = posix.dirname(documentPathOf(place))
    const known = looked.get(folder) ?? { root, place, isPlain: isWithoutLinks(root, place) }
    looked.set(folder, known)
    return known.isPlain
  }
  const result = await work(isWayPlain)
  for (const { root, place, isPlain } of looked.values()) {
    const [before, after] = await Promise.allSettled([isPlain, isWithoutLinks(root, place)])
    const wasPlain = before.status === 'fulfilled' && before.value
    if (wasPlain && !(after.status === 'fulfilled' && after.value)) return null
  }
  return result
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
