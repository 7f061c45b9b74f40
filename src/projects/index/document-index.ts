import { lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../lib/error-code.ts'
import { createWakeUp } from '../../lib/async/wake-up.ts'
import { watchFolders, type FolderWatcher } from '../files/folder-watcher.ts'
import { isProjectId } from '../files/file-names.ts'
import { PROJECTS_ROOT, parseDocumentRef, type DocumentRef } from '../document-ref.ts'
import { isFileAccessError } from '../files/file-access-errors.ts'
import { createUnreadableFolders } from './unreadable-folders.ts'
import { updateIndex, type IndexParts } from './update-index.ts'
import {
  reconcile,
  reconcileProject,
  excludeActiveTranscripts,
  type ReconcileParts,
} from './reconcile.ts'
import { deleteEmptyProject, readRefsBelow } from './index-store.ts'

/** Follows the files of all projects, so that a listing or a search opens none of them. */
export interface DocumentIndex extends AsyncDisposable {
  /** Somebody of ours wrote or removed this file: the index is level when it resolves. Never rejects. */
  documentChanged(place: DocumentRef): Promise<void>
  /** When everything that was there at the start is in the index. */
  ready: Promise<void>
  /** Compares everything anew, as is done from time to time. */
  reconcile(): Promise<void>
  /** How many folders cannot be read; the log names them. */
  unreadableFolderCount(): number
}

/** Files seldom change alone. */
const DEBOUNCE_MS = 100
/** Where no watch tells, as on a network file system, looking again does. It takes a fiftieth of the time at most. */
const MIN_PAUSE_MS = 1_500
const MAX_PAUSE_MS = 300_000
const PAUSE_FACTOR = 50

export async function openDocumentIndex(parts: IndexParts): Promise<DocumentIndex> {
  const { log, root } = parts
  const docs = join(root, PROJECTS_ROOT)
  await mkdir(docs, { recursive: true, mode: 0o755 })
  const closing = new AbortController()
  const wakeUp = createWakeUp()
  const first = Promise.withResolvers<void>()
  let changed = new Set<string>()
  const watching = watchFolders(docs, (folder, name) => {
    for (const path of changedPaths(folder, name)) changed.add(path)
    wakeUp.wake()
  })
  const unreadableFolders = createUnreadableFolders(log)
  const reconciling = {
    ...parts,
    onFolder: watching.add,
    signal: closing.signal,
    unreadableFolders,
  }

  /** Answers how long to wait before it is done again. */
  const lookAtAll = async (): Promise<number> => {
    const began = performance.now()
    await reconcile(reconciling)
    const tookMs = performance.now() - began
    return Math.min(Math.max(PAUSE_FACTOR * tookMs, MIN_PAUSE_MS), MAX_PAUSE_MS)
  }
  const lookAtChanges = async () => {
    const paths = changed
    changed = new Set()
    await handleChanges(reconciling, watching, docs, paths)
  }
  const run = async () => {
    let dueAt = 0
    while (!closing.signal.aborted) {
      try {
        if (changed.size > 0) await lookAtChanges()
        if (performance.now() >= dueAt) dueAt = performance.now() + (await lookAtAll())
        first.resolve()
      } catch (error) {
        dueAt = performance.now() + MIN_PAUSE_MS
        if (!closing.signal.aborted) log.error({ err: error }, 'documents not followed')
      }
      if (closing.signal.aborted) break
      const isWoken = await wakeUp.sleep(Math.max(1, dueAt - performance.now()))
      if (isWoken && !closing.signal.aborted) await createWakeUp().sleep(DEBOUNCE_MS)
    }
    first.resolve()
  }
  const running = run()

  return {
    async documentChanged(place) {
      try {
        await updateIndex(parts, [place], true)
        if ((await readPathKind(join(docs, place.project))) === 'none') {
          await deleteEmptyProject(parts.db, place.project)
        }
      } catch (error) {
        // The file is written, and that is what counts: the next look at all of them finds it.
        log.warn({ err: error, ...place }, 'document not indexed yet')
      }
    },
    ready: first.promise,
    reconcile: async () => void (await lookAtAll()),
    unreadableFolderCount: unreadableFolders.count,
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await running
      watching[Symbol.dispose]()
    },
  }
}

/** From `docs` on. What a folder says of itself may mean that another one stands in its place now. */
function changedPaths(folder: string, name: string | null): string[] {
  if (name === null) return [folder]
  const path = folder === '' ? name : `${folder}/${name}`
  return folder.endsWith(`/${name}`) || folder === name ? [path, folder] : [path]
}

async function handleChanges(
  parts: ReconcileParts,
  watching: FolderWatcher,
  docs: string,
  paths: ReadonlySet<string>,
): Promise<void> {
  if (paths.has('')) return reconcile(parts)
  const places = [...paths].map(parseChangedPath).filter((place) => place !== null)
  const files: DocumentRef[] = []
  for (const place of await excludeActiveTranscripts(parts, places)) {
    const { project, path } = place
    const folder = path === '' ? project : `${project}/${path}`
    const kind = await readPathKind(join(docs, folder))
    if (kind === 'none') watching.remove(folder)
    if (path === '' || kind === 'folder') await reconcileProject(parts, project, path)
    else files.push(place, ...(kind === 'none' ? await readRefsBelow(parts.db, place) : []))
  }
  await updateIndex(parts, files)
}

/** The place of a changed path; the path of a project itself is empty. Null: nothing that we keep. */
function parseChangedPath(changed: string): DocumentRef | null {
  const [project = '', ...rest] = changed.split('/')
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
