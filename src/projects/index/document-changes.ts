import { watch, type FSWatcher } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { errorCode } from '../../lib/error-code.ts'
import { createOwnedFoldersSync } from '../../lib/files/folders.ts'
import {
  PROJECTS_ROOT,
  parseDocumentRef,
  type DocumentRef,
  parsePathInDataFolder,
} from '../document-ref.ts'
import { isProjectId } from '../files/file-names.ts'
import { isFileAccessError, formatStoredFileStamp } from '../files/walk-project.ts'
import { readIndexedRefsBelow, createUnreadableFolderTracker } from './index-store.ts'
import {
  reconcileIndex,
  reconcileProject,
  excludeActiveTranscripts,
  type IndexReconcileDependencies,
} from './reconcile.ts'
import { updateIndex, type IndexUpdateDependencies } from './update-index.ts'

/** Reconciliation finds changes that no watch reports, for example on network file systems. */
const MIN_PAUSE_MS = 1_500

/** The OS limits the watches per account. Periodic reconciliation finds changes in the other folders. */
const MAX_FOLDERS = 4_000
/** Error codes of `watch` if no more watches are allowed, or the folder may not be watched. */
const UNWATCHABLE_CODES = new Set(['ENOSPC', 'EMFILE', 'ENFILE', 'EACCES', 'EPERM'])
/** Error codes of `watch` if the folder was removed in the meantime. */
const NOT_FOUND_CODES = new Set(['ENOENT', 'ENOTDIR'])

/** Finds changed documents for the index. */
export interface ChangeSource extends Disposable {
  reconcile(): Promise<void>
  /** Indexes everything that was reported as changed since the last call. */
  applyChanges(): Promise<void>
  /** The shortest pause between two reconciliations. */
  minPauseMs: number
  unreadableFolderCount(): number
}

/** Every node indexes what it writes, so only changes that an ended node did not index have to be found. */
const STORED_FILES_MIN_PAUSE_MS = 30_000

/** Watches the folders of all projects. Calls `onChange` when `applyChanges` has something to do. */
export function openFolderChangeSource(
  parts: Omit<IndexReconcileDependencies, 'onFolder' | 'unreadableFolders'>,
  onChange: () => void,
): ChangeSource {
  const docs = join(parts.root, PROJECTS_ROOT)
  createOwnedFoldersSync(docs, 0o755)
  let changedPaths = new Set<string>()
  const watcher = createWatchedFolderSet(docs, (folder, name) => {
    for (const path of toChangedPaths(folder, name)) changedPaths.add(path)
    onChange()
  })
  const unreadableFolders = createUnreadableFolderTracker(parts.log)
  const reconcileParts = { ...parts, onFolder: watcher.add, unreadableFolders }
  return {
    minPauseMs: MIN_PAUSE_MS,
    reconcile: () => reconcileIndex(reconcileParts),
    async applyChanges() {
      if (changedPaths.size === 0) return
      const paths = changedPaths
      changedPaths = new Set()
      await handleChanges(reconcileParts, watcher, docs, paths)
    },
    unreadableFolderCount: unreadableFolders.count,
    [Symbol.dispose]: () => watcher[Symbol.dispose](),
  }
}

/**
 * The changed paths in a watch event, relative to `docs`. If the event names the watched folder itself, another folder
 * may have replaced it, so the folder is treated as changed too.
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
    if (parts.signal?.aborted) return
    const { project, path } = ref
    const folder = path === '' ? project : `${project}/${path}`
    const kind = await readPathKind(join(docs, folder))
    if (kind === 'none') watcher.remove(folder)
    if (path === '' || kind === 'folder') await reconcileProject(parts, project, path)
    else files.push(ref, ...(kind === 'none' ? await readIndexedRefsBelow(parts.db, ref) : []))
  }
  await updateIndex(parts, files)
}

/** The project and path of a changed file. The path is empty for the project's folder. Null for ignored names. */
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

/**
 * Sets one watch per folder, and none for files. On Linux, Node's recursive watch sets one for every file, which takes
 * seconds for many files and uses up the watches of the OS account.
 */
export function createWatchedFolderSet(
  root: string,
  onChange: (folder: string, name: string | null) => void,
) {
  const watchers = new Map<string, FSWatcher>()
  let isDisposed = false
  const unwatch = (folder: string) => {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue
      watcher.close()
      watchers.delete(path)
    }
  }
  return {
    /** Stops watching a removed folder and all folders below it. Otherwise the watch would follow a moved folder. */
    remove: unwatch,
    /** Starts watching a folder. Does nothing if it is already watched or does not exist. */
    add(folder: string): void {
      if (isDisposed || watchers.has(folder) || watchers.size >= MAX_FOLDERS) return
      try {
        const watcher = watch(join(root, folder), { persistent: false }, (event, name) => {
          onChange(folder, name)
          // The folder itself was moved or removed, and its watch would follow it.
          if (event === 'rename' && name === lastSegment(folder)) unwatch(folder)
        })
        watcher.on('error', () => unwatch(folder))
        watchers.set(folder, watcher)
      } catch (error) {
        const code = errorCode(error)
        if (!UNWATCHABLE_CODES.has(code) && !NOT_FOUND_CODES.has(code)) throw error
      }
    },
    [Symbol.dispose]() {
      // A walk that is still running may add more folders.
      isDisposed = true
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
    },
  }
}

/** Watches folders for changes. A walk adds folders one by one as it finds them. */
type WatchedFolderSet = ReturnType<typeof createWatchedFolderSet>

function lastSegment(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1)
}

/** Compares documents in the database with the index. Watches nothing, because only the service changes them. */
export function createDatabaseChangeSource(parts: IndexUpdateDependencies): ChangeSource {
  return {
    minPauseMs: STORED_FILES_MIN_PAUSE_MS,
    reconcile: () => reconcileStoredFiles(parts),
    applyChanges: async () => {},
    unreadableFolderCount: () => 0,
    [Symbol.dispose]() {},
  }
}

async function reconcileStoredFiles(parts: IndexUpdateDependencies): Promise<void> {
  const folder = `${PROJECTS_ROOT}/`
  const { rows } = await sql<{ path: string }>`
    with indexed as (
      select (${folder} || project || '/' || path) collate "C" as path, stamp from document
    ), stored as (
      select path, ${formatStoredFileStamp('')} || version as stamp from stored_file
      where path > ${folder} and path < ${`${PROJECTS_ROOT}0`}
    )
    select path from stored full join indexed using (path)
    where stored.stamp is distinct from indexed.stamp
    order by path`.execute(parts.db)
  const refs = rows.map(({ path }) => parsePathInDataFolder(path)).filter((ref) => ref !== null)
  await updateIndex(parts, await excludeActiveTranscripts(parts, refs))
}
