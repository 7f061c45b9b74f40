import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../lib/error-code.ts'
import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import { createOwnedFoldersSync } from '../../lib/files/create-folders.ts'
import { createWatchedFolderSet, type WatchedFolderSet } from '../files/folder-watcher.ts'
import { isProjectId } from '../files/file-names.ts'
import { PROJECTS_ROOT, parseDocumentRef, type DocumentRef } from '../document-ref.ts'
import { isFileAccessError } from '../files/file-access-errors.ts'
import { createUnreadableFolderTracker } from './unreadable-folders.ts'
import { updateIndex, type IndexUpdateDependencies } from './update-index.ts'
import {
  reconcileIndex,
  reconcileProject,
  excludeActiveTranscripts,
  type IndexReconcileDependencies,
} from './reconcile.ts'
import { deleteProjectRowIfNoDocuments, readIndexedRefsBelow } from './index-store.ts'

/** Updates the database index of all project files as files change, so that listings and searches open no file. */
export interface DocumentIndex extends AsyncDisposable {
  /** Updates the index after the service wrote or removed this file. Resolves when it is up to date; never rejects. */
  documentChanged(ref: DocumentRef): Promise<void>
  /** Resolves when all files that existed at the start are in the index. */
  ready: Promise<void>
  /** Compares all files with the index now. This also happens periodically. */
  reconcile(): Promise<void>
  /** The number of folders that cannot be read. The log names them. */
  unreadableFolderCount(): number
}

/** The index waits this long after a file change before it reads files, because files often change together. */
const DEBOUNCE_MS = 100
/**
 * Pause between two periodic reconciliations, which find changes that no watch reports, as on network file systems.
 * The pause is 50 times the last duration, so reconciliation uses at most 2 % of the time.
 */
const MIN_PAUSE_MS = 1_500
const MAX_PAUSE_MS = 300_000
const PAUSE_FACTOR = 50

export async function openDocumentIndex(parts: IndexUpdateDependencies): Promise<DocumentIndex> {
  const { log, root } = parts
  const docs = join(root, PROJECTS_ROOT)
  createOwnedFoldersSync(docs, 0o755)
  const closing = new AbortController()
  const wakeUp = createWakeableSleep()
  const firstRun = Promise.withResolvers<void>()
  let changedPaths = new Set<string>()
  const watcher = createWatchedFolderSet(docs, (folder, name) => {
    for (const path of toChangedPaths(folder, name)) changedPaths.add(path)
    wakeUp.wake()
  })
  const unreadableFolders = createUnreadableFolderTracker(log)
  const reconcileParts = {
    ...parts,
    onFolder: watcher.add,
    signal: closing.signal,
    unreadableFolders,
  }

  /** Reconciles all projects and returns the pause before the next time, in milliseconds. */
  const reconcileAll = async (): Promise<number> => {
    const startedAt = performance.now()
    await reconcileIndex(reconcileParts)
    const tookMs = performance.now() - startedAt
    return Math.min(Math.max(PAUSE_FACTOR * tookMs, MIN_PAUSE_MS), MAX_PAUSE_MS)
  }
  const applyChanges = async () => {
    const paths = changedPaths
    changedPaths = new Set()
    await handleChanges(reconcileParts, watcher, docs, paths)
  }
  const run = async () => {
    let dueAt = 0
    while (!closing.signal.aborted) {
      try {
        if (changedPaths.size > 0) await applyChanges()
        if (performance.now() >= dueAt) dueAt = performance.now() + (await reconcileAll())
        firstRun.resolve()
      } catch (error) {
        dueAt = performance.now() + MIN_PAUSE_MS
        if (!closing.signal.aborted) log.error({ err: error }, 'failed to update document index')
      }
      if (closing.signal.aborted) break
      const isWoken = await wakeUp.sleep(Math.max(1, dueAt - performance.now()))
      if (isWoken && !closing.signal.aborted) await createWakeableSleep().sleep(DEBOUNCE_MS)
    }
    firstRun.resolve()
  }
  const running = run()

  return {
    async documentChanged(ref) {
      try {
        await updateIndex(parts, [ref], 'always')
        if ((await readPathKind(join(docs, ref.project))) === 'none') {
          await deleteProjectRowIfNoDocuments(parts.db, ref.project)
        }
      } catch (error) {
        // Only the index is out of date: the document was already written or removed. The next periodic reconciliation
        // corrects it.
        log.warn({ err: error, ...ref }, 'failed to index document')
      }
    },
    ready: firstRun.promise,
    reconcile: async () => void (await reconcileAll()),
    unreadableFolderCount: unreadableFolders.count,
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await running
      watcher[Symbol.dispose]()
    },
  }
}

/**
 * The changed paths of a watch event, relative to `docs`. When the event names the watched folder itself, another folder
 * may have replaced it, so the folder counts as changed too.
 */
function toChangedPaths(folder: string, name: string | null): string[] {
  if (name === null) return [folder]
  const path = folder === '' ? name : `${folder}/${name}`
  return folder.endsWith(`/${name}`) || folder === name ? [path, folder] : [path]
}

async function handleChanges(
  parts: IndexReconcileDependencies,
  watcher: WatchedFolderSet,
  docs: string,
  paths: ReadonlySet<string>,
): Promise<void> {
  if (paths.has('')) return reconcileIndex(parts)
  const refs = [...paths].map(parseChangedPath).filter((ref) => ref !== null)
  const files: DocumentRef[] = []
  for (const ref of await excludeActiveTranscripts(parts, refs)) {
    const { project, path } = ref
    const folder = path === '' ? project : `${project}/${path}`
    const kind = await readPathKind(join(docs, folder))
    if (kind === 'none') watcher.remove(folder)
    if (path === '' || kind === 'folder') await reconcileProject(parts, project, path)
    else files.push(ref, ...(kind === 'none' ? await readIndexedRefsBelow(parts.db, ref) : []))
  }
  await updateIndex(parts, files)
}

/** The project and path of a changed file, with an empty path for the project's folder. Null for ignored names. */
function parseChangedPath(changedPath: string): DocumentRef | null {
  const [project = '', ...rest] = changedPath.split('/')
  if (rest.length === 0) return isProjectId(project) ? { project, path: '' } : null
  return parseDocumentRef(project, rest.join('/'))
}

async function readPathKind(path: string): Promise<'file' | 'folder' | 'none'> {
  try {
    return (await lstat(path)).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return 'none'
    if (isFileAccessError(error)) return 'file'
    throw error
  }
}
