import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../lib/error-code.ts'
import { createOwnedFoldersSync } from '../../lib/files/create-folders.ts'
import { createWatchedFolderSet, type WatchedFolderSet } from '../files/folder-watcher.ts'
import { isProjectId } from '../files/file-names.ts'
import { PROJECTS_ROOT, parseDocumentRef, type DocumentRef } from '../document-ref.ts'
import { isFileAccessError } from '../files/file-access-errors.ts'
import type { ChangeSource } from './change-source.ts'
import { createUnreadableFolderTracker } from './unreadable-folders.ts'
import { updateIndex } from './update-index.ts'
import {
  reconcileIndex,
  reconcileProject,
  excludeActiveTranscripts,
  type IndexReconcileDependencies,
} from './reconcile.ts'
import { readIndexedRefsBelow } from './index-store.ts'

/** Reconciliation finds changes that no watch reports, as on network file systems. */
const MIN_PAUSE_MS = 1_500

/** Watches the folders of all projects. `onChange` is called when there is something for `applyChanges`. */
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
