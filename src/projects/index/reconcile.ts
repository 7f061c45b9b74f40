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
  /** Called for every folder before its files are read. */
  onFolder(folder: string): void
  unreadableFolders: UnreadableFolders
}

/** How many files are compared with the index in one query. */
const COMPARE_BATCH_SIZE = 2_000
const MAX_SLICES = 500

/** Compares all files with the index and reads only those that changed. */
export async function reconcile(parts: ReconcileParts): Promise<void> {
  const { db, root } = parts
  const docs = join(root, PROJECTS_ROOT)
  parts.onFolder('')
  const existing = await listProjectFolders(docs)
  for (const project of existing) await reconcileIsolated(parts, project)
  if (parts.signal?.aborted) return
  const removed = (await readProjectIds(db)).filter((id) => !existing.includes(id))
  for (const project of removed) await reconcileIsolated(parts, project)
}

/** Records a failure instead of throwing it, so that one broken project does not stop the others. */
async function reconcileIsolated(parts: ReconcileParts, project: string): Promise<void> {
  try {
    await reconcileProject(parts, project)
  } catch (error) {
    if (isTransient(error)) throw error
    parts.unreadableFolders.recordScan(project, new Map([[project, error]]))
  }
}

/** Compares the files of one project, or of one folder and its subfolders, with the index. */
export async function reconcileProject(
  parts: ReconcileParts,
  project: string,
  from = '',
): Promise<void> {
  const { db, log, root } = parts
  const docs = join(root, PROJECTS_ROOT)
  const walkedFolders = new Set<string>()
  const unreadable = new Map<string, unknown>()
  let slices: FolderSlice[] = []
  let fileCount = 0
  let comparing = Promise.resolve()
  /** Compares the collected slices in the background, while the walk collects the next ones. */
  const compare = async () => {
    const batch = slices
    slices = []
    fileCount = 0
    await comparing
    comparing = compareSlices(parts, batch)
    // The next call awaits the comparison. Until then Node must not report its rejection as unhandled.
    void Promise.allSettled([comparing])
  }
  const exists = (await listProjectFolders(docs)).includes(project)
  if (exists) await upsertProjects(db, [project])
  const toFolderPath = (path: string) => (path === '' ? project : `${project}/${path}`)
  const handlers: WalkHandlers = {
    onFolder(_, folder) {
      walkedFolders.add(folder)
      parts.onFolder(toFolderPath(folder))
    },
    onUnreadableFolder: (_, folder, error) => void unreadable.set(toFolderPath(folder), error),
    onSkippedName: (_, path) =>
      log.debug({ project, path }, 'skipped file with an unsupported name'),
  }
  if (exists) {
    for await (const slice of walkProject(docs, project, handlers, from)) {
      if (parts.signal?.aborted) return comparing
      slices.push(slice)
      fileCount += slice.files.length
      if (fileCount >= COMPARE_BATCH_SIZE || slices.length >= MAX_SLICES) await compare()
    }
  }
  await compare()
  await comparing
  parts.unreadableFolders.recordScan(toFolderPath(from), unreadable)
  const isInUnreadable = (folder: string) =>
    unreadable.keys().some((path) => isSameOrBelow(toFolderPath(folder), path))
  for (const folder of await readFolders(db, project, from)) {
    // Files in an unreadable folder may still exist, so their index rows stay.
    if (walkedFolders.has(folder) || isInUnreadable(folder)) continue
    await updateIndex(parts, await readRefsInFolder(db, project, folder))
  }
  if (!(await listProjectFolders(docs)).includes(project)) await deleteEmptyProject(db, project)
}

async function compareSlices(parts: ReconcileParts, walked: FolderSlice[]): Promise<void> {
  if (walked.length === 0) return
  const unchanged = await findUnchangedSlices(parts.db, walked)
  const slices = walked.filter((slice) => !unchanged.has(slice))
  if (slices.length === 0) return
  const indexed = new Map(
    (await readIndexedFiles(parts.db, slices)).map((row) => [toDocumentKey(row), row]),
  )
  const changed: DocumentRef[] = []
  for (const { project, files } of slices) {
    for (const { path, stamp } of files) {
      const key = `${project}/${path}`
      if (indexed.get(key)?.stamp !== stamp) changed.push({ project, path })
      indexed.delete(key)
    }
  }
  const refs = [...changed, ...indexed.values()]
  if (refs.length > 0) await updateIndex(parts, await excludeActiveTranscripts(parts, refs))
}

/**
 * Removes transcripts of meetings in progress from the list. The service itself writes them every five seconds and
 * updates the index when they are complete. Its next write overwrites changes by anyone else.
 */
export async function excludeActiveTranscripts(
  { db }: Pick<IndexParts, 'db'>,
  refs: readonly DocumentRef[],
): Promise<DocumentRef[]> {
  const transcripts = await findMeetingTranscripts(db, refs)
  return refs.filter((ref) => transcripts.get(toDocumentPath(ref))?.isActive !== true)
}
