import { join } from 'node:path'
import { isPassing } from '../../db/passing-trouble.ts'
import { projectsIn, walkProject, type Slice } from '../files/walk.ts'
import { DOCS, documentPathOf, type Place } from '../place.ts'
import { isWithin, type ClosedFolders } from './closed-folders.ts'
import { follow, type IndexParts } from './follow.ts'
import {
  addProjects,
  forgetProject,
  keyOf,
  readFolders,
  readKnown,
  readOwn,
  readPlacesIn,
  readProjects,
  readUnchanged,
} from './store.ts'

export type Reconciling = IndexParts & {
  /** Told of every folder before its files are looked at. */
  onFolder(folder: string): void
  closed: ClosedFolders
}

/** Files that are compared with the index at once. */
const PORTION = 2_000
const MAX_SLICES = 500

/** Compares all files with the index, and reads only those that changed. */
export async function reconcile(parts: Reconciling): Promise<void> {
  const { db, root } = parts
  const docs = join(root, DOCS)
  parts.onFolder('')
  const present = await projectsIn(docs)
  for (const project of present) await reconcileApart(parts, project)
  if (parts.signal?.aborted) return
  const gone = (await readProjects(db)).filter((id) => !present.includes(id))
  for (const project of gone) await reconcileApart(parts, project)
}

/** Whatever is wrong with one project, the others are followed. */
async function reconcileApart(parts: Reconciling, project: string): Promise<void> {
  try {
    await reconcileProject(parts, project)
  } catch (error) {
    if (isPassing(error)) throw error
    parts.closed.looked(project, new Map([[project, error]]))
  }
}

/** The same for one project, or for one folder of it with all below. */
export async function reconcileProject(
  parts: Reconciling,
  project: string,
  from = '',
): Promise<void> {
  const { db, log, root } = parts
  const docs = join(root, DOCS)
  const seen = new Set<string>()
  const closed = new Map<string, unknown>()
  let slices: Slice[] = []
  let files = 0
  let comparing = Promise.resolve()
  /** The database is asked about one portion while the walk goes on to the next. */
  const compare = async () => {
    const portion = slices
    slices = []
    files = 0
    await comparing
    comparing = compareSlices(parts, portion)
    // Awaited with the next portion; until then a failure must not count as unhandled.
    void Promise.allSettled([comparing])
  }
  const isThere = (await projectsIn(docs)).includes(project)
  if (isThere) await addProjects(db, [project])
  const folderOf = (path: string) => (path === '' ? project : `${project}/${path}`)
  const walk = {
    onFolder(_: string, folder: string) {
      seen.add(folder)
      parts.onFolder(folderOf(folder))
    },
    onClosed: (_: string, folder: string, error: unknown) =>
      void closed.set(folderOf(folder), error),
    onUnreadable: (_: string, path: string) =>
      log.debug({ project, path }, 'file left out for its name'),
  }
  if (isThere) {
    for await (const slice of walkProject(docs, project, walk, from)) {
      if (parts.signal?.aborted) return comparing
      slices.push(slice)
      files += slice.files.length
      if (files >= PORTION || slices.length >= MAX_SLICES) await compare()
    }
  }
  await compare()
  await comparing
  parts.closed.looked(folderOf(from), closed)
  const isInClosed = (folder: string) =>
    closed.keys().some((shut) => isWithin(folderOf(folder), shut))
  for (const folder of await readFolders(db, project, from)) {
    // What is in a closed folder may still be there: the index keeps what it has of it.
    if (seen.has(folder) || isInClosed(folder)) continue
    await follow(parts, await readPlacesIn(db, project, folder))
  }
  if (!(await projectsIn(docs)).includes(project)) await forgetProject(db, project)
}

async function compareSlices(parts: Reconciling, walked: Slice[]): Promise<void> {
  if (walked.length === 0) return
  const unchanged = await readUnchanged(parts.db, walked)
  const slices = walked.filter((slice) => !unchanged.has(slice))
  if (slices.length === 0) return
  const known = new Map((await readKnown(parts.db, slices)).map((row) => [keyOf(row), row]))
  const changed: Place[] = []
  for (const { project, files } of slices) {
    for (const { path, stamp } of files) {
      const key = `${project}/${path}`
      if (known.get(key)?.stamp !== stamp) changed.push({ project, path })
      known.delete(key)
    }
  }
  const places = [...changed, ...known.values()]
  if (places.length > 0) await follow(parts, await withoutGrowing(parts, places))
}

/**
 * A transcript that still grows is written by the service alone, every five seconds: it is told when it is
 * complete, and what somebody does to it until then is undone by its next writer.
 */
export async function withoutGrowing(
  { db }: Pick<IndexParts, 'db'>,
  places: readonly Place[],
): Promise<Place[]> {
  const own = await readOwn(db, places)
  return places.filter((place) => own.get(documentPathOf(place))?.isActive !== true)
}
