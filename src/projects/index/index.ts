import { lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../lib/error-code.ts'
import { createWakeUp } from '../../lib/wake-up.ts'
import { watchFolders, type FolderWatch } from '../files/watch.ts'
import { isProjectId } from '../names.ts'
import { DOCS, readPlace, type Place } from '../place.ts'
import { isOutOfReach } from '../files/out-of-reach.ts'
import { createClosedFolders } from './closed-folders.ts'
import { follow, type IndexParts } from './follow.ts'
import { reconcile, reconcileProject, withoutGrowing, type Reconciling } from './reconcile.ts'
import { forgetProject, readPlacesBelow } from './store.ts'

/** Follows the files of all projects, so that a listing or a search opens none of them. */
export interface DocumentIndex extends AsyncDisposable {
  /** Somebody of ours wrote or removed this file: the index is level when it resolves. Never rejects. */
  saved(place: Place): Promise<void>
  /** When everything that was there at the start is in the index. */
  ready: Promise<void>
  /** Compares everything anew, as is done from time to time. */
  reconcile(): Promise<void>
  /** How many folders cannot be read; the log names them. */
  closedFolders(): number
}

/** Files seldom change alone. */
const GATHER_MS = 100
/** Where no watch tells, as on a network file system, looking again does. It takes a fiftieth of the time at most. */
const SHORTEST_PAUSE_MS = 1_500
const LONGEST_PAUSE_MS = 300_000
const REST = 50

export async function openIndex(parts: IndexParts): Promise<DocumentIndex> {
  const { log, root } = parts
  const docs = join(root, DOCS)
  await mkdir(docs, { recursive: true, mode: 0o755 })
  const closing = new AbortController()
  const wakeUp = createWakeUp()
  const first = Promise.withResolvers<void>()
  let changed = new Set<string>()
  const watching = watchFolders(docs, (folder, name) => {
    for (const path of pathsOf(folder, name)) changed.add(path)
    wakeUp.wake()
  })
  const closed = createClosedFolders(log)
  const reconciling = { ...parts, onFolder: watching.add, signal: closing.signal, closed }

  /** Answers how long to wait before it is done again. */
  const lookAtAll = async (): Promise<number> => {
    const began = performance.now()
    await reconcile(reconciling)
    const tookMs = performance.now() - began
    return Math.min(Math.max(REST * tookMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS)
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
        dueAt = performance.now() + SHORTEST_PAUSE_MS
        if (!closing.signal.aborted) log.error({ err: error }, 'documents not followed')
      }
      if (closing.signal.aborted) break
      const isWoken = await wakeUp.sleep(Math.max(1, dueAt - performance.now()))
      if (isWoken && !closing.signal.aborted) await createWakeUp().sleep(GATHER_MS)
    }
    first.resolve()
  }
  const running = run()

  return {
    async saved(place) {
      try {
        await follow(parts, [place], true)
        if ((await kindOf(join(docs, place.project))) === 'none') {
          await forgetProject(parts.db, place.project)
        }
      } catch (error) {
        // The file is written, and that is what counts: the next look at all of them finds it.
        log.warn({ err: error, ...place }, 'document not indexed yet')
      }
    },
    ready: first.promise,
    reconcile: async () => void (await lookAtAll()),
    closedFolders: closed.count,
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await running
      watching[Symbol.dispose]()
    },
  }
}

/** From `docs` on. What a folder says of itself may mean that another one stands in its place now. */
function pathsOf(folder: string, name: string | null): string[] {
  if (name === null) return [folder]
  const path = folder === '' ? name : `${folder}/${name}`
  return folder.endsWith(`/${name}`) || folder === name ? [path, folder] : [path]
}

async function handleChanges(
  parts: Reconciling,
  watching: FolderWatch,
  docs: string,
  paths: ReadonlySet<string>,
): Promise<void> {
  if (paths.has('')) return reconcile(parts)
  const places = [...paths].map(toPlace).filter((place) => place !== null)
  const files: Place[] = []
  for (const place of await withoutGrowing(parts, places)) {
    const { project, path } = place
    const folder = path === '' ? project : `${project}/${path}`
    const kind = await kindOf(join(docs, folder))
    if (kind === 'none') watching.drop(folder)
    if (path === '' || kind === 'folder') await reconcileProject(parts, project, path)
    else files.push(place, ...(kind === 'none' ? await readPlacesBelow(parts.db, place) : []))
  }
  await follow(parts, files)
}

/** The place of a changed path; the path of a project itself is empty. Null: nothing that we keep. */
function toPlace(changed: string): Place | null {
  const [project = '', ...rest] = changed.split('/')
  if (rest.length === 0) return isProjectId(project) ? { project, path: '' } : null
  return readPlace(project, rest.join('/'))
}

async function kindOf(path: string): Promise<'file' | 'folder' | 'none'> {
  try {
    return (await lstat(path)).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return 'none'
    if (isOutOfReach(error)) return 'file'
    throw error
  }
}
