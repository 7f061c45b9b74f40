import { join } from 'node:path'
import { isTransientDatabaseError } from '../../db/transient-errors.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { preventUnhandledRejection } from '../../lib/async/await-later.ts'
import { PROJECTS_ROOT, formatPathInDataFolder, type DocumentRef } from '../document-ref.ts'
import {
  listProjectFolders,
  walkProject,
  type FolderSlice,
  type WalkHandlers,
} from '../files/walk-project.ts'
import {
  isSameFolderOrBelow,
  type UnreadableFolderTracker,
  upsertProjects,
  deleteProjectRowIfNoDocuments,
  toDocumentKey,
  readIndexedFolders,
  readIndexedFiles,
  findTranscriptStatesByDocumentPath,
  readIndexedRefsInFolder,
  readProjectIds,
  findUnchangedSlices,
} from './index-store.ts'
import { updateIndex, type IndexUpdateDependencies } from './update-index.ts'

export type IndexReconcileDependencies = IndexUpdateDependencies & {
  /** The data folder. */
  root: string
  /** Called for each folder before its files are read. */
  onFolder(folder: string): void
  unreadableFolders: UnreadableFolderTracker
}

/** How many files one query compares with the index. */
const COMPARE_BATCH_SIZE = 2_000
const MAX_SLICES = 500

/** Compares the files of all projects with the search index, and only indexes the changed ones again. */
export async function reconcileIndex(parts: IndexReconcileDependencies): Promise<void> {
  const { db, root } = parts
  const docs = join(root, PROJECTS_ROOT)
  parts.onFolder('')
  const existing = await listProjectFolders(docs)
  for (const project of existing) await reconcileIsolated(parts, project)
  if (parts.signal?.aborted) return
  const known = new Set(existing)
  const removed = (await readProjectIds(db)).filter((id) => !known.has(id))
  for (const project of removed) await reconcileIsolated(parts, project)
}

/** Compares a project with the index and records a failure, so that a broken project does not stop the others. */
async function reconcileIsolated(
  parts: IndexReconcileDependencies,
  project: string,
): Promise<void> {
  if (parts.signal?.aborted) return
  try {
    await reconcileProject(parts, project)
  } catch (error) {
    if (isTransientDatabaseError(error)) throw error
    parts.unreadableFolders.recordScan(project, new Map([[project, error]]))
  }
}

/** Compares the files of a project, or of a folder with its subfolders, with the index. */
export async function reconcileProject(
  parts: IndexReconcileDependencies,
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
  /** Compares the files found so far with the index in the background, while the walk finds the next ones. */
  const compare = async () => {
    const batch = slices
    slices = []
    fileCount = 0
    await comparing
    comparing = preventUnhandledRejection(compareSlices(parts, batch))
  }
  const exists = (await listProjectFolders(docs)).includes(project)
  if (exists && !(await upsertProjects(db, [project])).has(project)) {
    parts.unreadableFolders.recordScan(project, new Map([[project, twinFolderError(project)]]))
    return
  }
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
    unreadable.keys().some((path) => isSameFolderOrBelow(toFolderPath(folder), path))
  for (const folder of await readIndexedFolders(db, project, from)) {
    if (parts.signal?.aborted) return
    // Files in an unreadable folder may still exist, so their index rows stay.
    if (walkedFolders.has(folder) || isInUnreadable(folder)) continue
    await updateIndex(parts, await readIndexedRefsInFolder(db, project, folder))
  }
  if (!(await listProjectFolders(docs)).includes(project))
    await deleteProjectRowIfNoDocuments(db, project)
}

function twinFolderError(project: string): OperatorError {
  return new OperatorError(
    `Another project has the id ${project} in other letter case`,
    'Rename the folder to the id of that project, or give it a name of its own',
  )
}

async function compareSlices(
  parts: IndexReconcileDependencies,
  walked: FolderSlice[],
): Promise<void> {
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
 * Leaves out transcripts of meetings in progress. The service writes them every five seconds, and updates the index
 * when they are complete. Its next write overwrites changes by anyone else.
 */
export async function excludeActiveTranscripts(
  { db }: Pick<IndexUpdateDependencies, 'db'>,
  refs: readonly DocumentRef[],
): Promise<DocumentRef[]> {
  const transcripts = await findTranscriptStatesByDocumentPath(db, refs)
  return refs.filter(
    (ref) => transcripts.get(formatPathInDataFolder(ref))?.isMeetingActive !== true,
  )
}
