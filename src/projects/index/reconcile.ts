import { join } from 'node:path'
import { isTransient } from '../../db/transient-errors.ts'
import {
  listProjectFolders,
  walkProject,
  type FolderSlice,
  type WalkHandlers,
} from '../files/walk-project.ts'
import { PROJECTS_ROOT, toDocumentPath, type DocumentRef } from '../document-ref.ts'
import { isSameOrBelow, type UnreadableFolders } from './unreadable-folders.ts'
import { updateIndex, type IndexParts } from './update-index.ts'
import {
  upsertProjects,
  deleteEmptyProject,
  toDocumentKey,
  readFolders,
  readIndexedFiles,
  findMeetingTranscripts,
  readRefsInFolder,
  readProjectIds,
  findUnchangedSlices,
} from './index-store.ts'

export type ReconcileParts = IndexParts & {
  /** Told of every folder before its files are looked at. */
  onFolder(folder: string): void
  unreadableFolders: UnreadableFolders
}

/** Files that are compared with the index at once. */
const COMPARE_BATCH_SIZE = 2_000
const MAX_SLICES = 500

/** Compares all files with the index, and reads only those that changed. */
export async function reconcile(parts: ReconcileParts): Promise<void> {
  const { db, root } = parts
  const docs = join(root, PROJECTS_ROOT)
  parts.onFolder('')
  const present = await listProjectFolders(docs)
  for (const project of present) await reconcileIsolated(parts, project)
  if (parts.signal?.aborted) return
  const gone = (await readProjectIds(db)).filter((id) => !present.includes(id))
  for (const project of gone) await reconcileIsolated(parts, project)
}

/** Whatever is wrong with one project, the others are followed. */
async function reconcileIsolated(parts: ReconcileParts, project: string): Promise<void> {
  try {
    await reconcileProject(parts, project)
  } catch (error) {
    if (isTransient(error)) throw error
    parts.unreadableFolders.recordScan(project, new Map([[project, error]]))
  }
}

/** The same for one project, or for one folder of it with all below. */
export async function reconcileProject(
  parts: ReconcileParts,
  project: string,
  from = '',
): Promise<void> {
  const { db, log, root } = parts
  const docs = join(root, PROJECTS_ROOT)
  const seen = new Set<string>()
  const closed = new Map<string, unknown>()
  let slices: FolderSlice[] = []
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
  const isThere = (await listProjectFolders(docs)).includes(project)
  if (isThere) await upsertProjects(db, [project])
  const folderOf = (path: string) => (path === '' ? project : `${project}/${path}`)
  const walk: WalkHandlers = {
    onFolder(_, folder) {
      seen.add(folder)
      parts.onFolder(folderOf(folder))
    },
    onUnreadableFolder: (_, folder, error) => void closed.set(folderOf(folder), error),
    onSkippedName: (_, path) => log.debug({ project, path }, 'file left out for its name'),
  }
  if (isThere) {
    for await (const slice of walkProject(docs, project, walk, from)) {
      if (parts.signal?.aborted) return comparing
      slices.push(slice)
      files += slice.files.length
      if (files >= COMPARE_BATCH_SIZE || slices.length >= MAX_SLICES) await compare()
    }
  }
  await compare()
  await comparing
  parts.unreadableFolders.recordScan(folderOf(from), closed)
  const isInClosed = (folder: string) =>
    closed.keys().some((shut) => isSameOrBelow(folderOf(folder), shut))
  for (const folder of await readFolders(db, project, from)) {
    // What is in a closed folder may still be there: the index keeps what it has of it.
    if (seen.has(folder) || isInClosed(folder)) continue
    await updateIndex(parts, await readRefsInFolder(db, project, folder))
  }
  if (!(await listProjectFolders(docs)).includes(project)) await deleteEmptyProject(db, project)
}

async function compareSlices(parts: ReconcileParts, walked: FolderSlice[]): Promise<void> {
  if (walked.length === 0) return
  const unchanged = await findUnchangedSlices(parts.db, walked)
  const slices = walked.filter((slice) => !unchanged.has(slice))
  if (slices.length === 0) return
  const known = new Map(
    (await readIndexedFiles(parts.db, slices)).map((row) => [toDocumentKey(row), row]),
  )
  const changed: DocumentRef[] = []
  for (const { project, files } of slices) {
    for (const { path, stamp } of files) {
      const key = `${project}/${path}`
      if (known.get(key)?.stamp !== stamp) changed.push({ project, path })
      known.delete(key)
    }
  }
  const places = [...changed, ...known.values()]
  if (places.length > 0) await updateIndex(parts, await excludeActiveTranscripts(parts, places))
}

/**
 * A transcript that still grows is written by the service alone, every five seconds: it is told when it is
 * complete, and what somebody does to it until then is undone by its next writer.
 */
export async function excludeActiveTranscripts(
  { db }: Pick<IndexParts, 'db'>,
  places: readonly DocumentRef[],
): Promise<DocumentRef[]> {
  const own = await findMeetingTranscripts(db, places)
  return places.filter((place) => own.get(toDocumentPath(place))?.isActive !== true)
}
