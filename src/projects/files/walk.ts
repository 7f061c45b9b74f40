import { lstat, type Dirent, type Stats } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sortByBytes } from '../../lib/byte-order.ts'
import { errorCode } from '../../lib/error-code.ts'
import { isProjectId } from '../names.ts'
import { isPath } from '../place.ts'
import { isOutOfReach } from './out-of-reach.ts'

/** What the file system says of a file. `stamp` differs whenever the file may have changed. */
export type FileFacts = { path: string; stamp: string; isPlain: boolean; size: number; at: Date }

/** Files of one folder in the order of their bytes; those between `after` and `upTo` are all there are. */
export type Slice = {
  project: string
  folder: string
  /** Path of the last file of the slice before; empty: this is the first one. */
  after: string
  /** Path of the last file; null: the folder ends here. */
  upTo: string | null
  files: FileFacts[]
}

export type Walk = {
  /** Every folder is told before its files are looked at, the project's own first. */
  onFolder?: (project: string, folder: string) => void
  onUnreadable?: (project: string, path: string) => void
  /** A folder cannot be read: what it holds is not known, and the walk goes on without it. */
  onClosed?: (project: string, folder: string, error: unknown) => void
}

/** Raised when what is read from files changes, so that all of them are read again. */
const READING = 1
const SLICE = 2_000
const AT_ONCE = 64
const MAX_DEPTH = 9
const GONE = new Set(['ENOENT', 'ENOTDIR'])

/** The folders of projects in `docs`, sorted. A link is none of them. */
export async function projectsIn(docs: string): Promise<string[]> {
  const entries = await entriesOf(docs)
  return entries
    .filter((entry) => entry.isDirectory() && isProjectId(entry.name))
    .map(({ name }) => name)
}

/** Looks at every file of a project without opening one. Memory does not grow but with the names of a folder. */
export async function* walkProject(
  docs: string,
  project: string,
  walk: Walk = {},
  from = '',
): AsyncGenerator<Slice, void, undefined> {
  const folders = [from]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    walk.onFolder?.(project, folder)
    try {
      const { paths, below } = await namesIn(docs, project, folder, walk)
      folders.push(...below)
      yield* slices(docs, project, folder, paths)
    } catch (error) {
      if (!isOutOfReach(error)) throw error
      walk.onClosed?.(project, folder, error)
    }
  }
}

/** The files of a folder and the folders in it, as paths from the project on. */
async function namesIn(docs: string, project: string, folder: string, walk: Walk) {
  const paths: string[] = []
  const below: string[] = []
  const prefix = folder === '' ? '' : `${folder}/`
  for (const entry of await entriesOf(join(docs, project, folder))) {
    const path = `${prefix}${entry.name}`
    if (entry.name.startsWith('.')) continue
    // A name that is not UTF-8 comes with a stand-in, by which the file cannot be found again.
    if (entry.name.includes('\ufffd') || !isPath(path)) {
      walk.onUnreadable?.(project, path)
    } else if (!entry.isDirectory()) paths.push(path)
    else if (path.split('/').length <= MAX_DEPTH) below.push(path)
  }
  return { paths, below }
}

/** What is at a path now; null: nothing, or a folder. */
export async function factsOf(file: string, path: string): Promise<FileFacts | null> {
  const found = await statOf(file)
  return found === null || found.isDirectory() ? null : toFacts(path, found)
}

/** Sorted by their bytes; a folder that is gone or is none has no entries. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return sortByBytes(entries, ({ name }) => name)
  } catch (error) {
    if (GONE.has(errorCode(error))) return []
    throw error
  }
}

async function* slices(
  docs: string,
  project: string,
  folder: string,
  paths: string[],
): AsyncGenerator<Slice, void, undefined> {
  let after = ''
  for (let start = 0; start === 0 || start < paths.length; start += SLICE) {
    const part = paths.slice(start, start + SLICE)
    const files: FileFacts[] = []
    for (let i = 0; i < part.length; i += AT_ONCE) {
      const group = part.slice(i, i + AT_ONCE)
      const found = await statAll(group.map((path) => join(docs, project, path)))
      group.forEach((path, k) => {
        const stats = found[k]
        if (stats && !stats.isDirectory()) files.push(toFacts(path, stats))
      })
    }
    const upTo = start + SLICE < paths.length ? (part.at(-1) ?? null) : null
    yield { project, folder, after, upTo, files }
    after = upTo ?? ''
  }
}

async function statOf(file: string): Promise<Stats | null> {
  const [found = null] = await statAll([file])
  return found
}

/** All at once, with one promise for all: a promise for each file would cost as much as the file system does. */
function statAll(files: readonly string[]): Promise<Array<Stats | null>> {
  const { promise, resolve, reject } = Promise.withResolvers<Array<Stats | null>>()
  const found: Array<Stats | null> = files.map(() => null)
  let open = files.length
  if (open === 0) resolve(found)
  for (const [i, file] of files.entries()) {
    lstat(file, (error, stats) => {
      if (error === null) found[i] = stats
      else if (!GONE.has(errorCode(error))) reject(error)
      open -= 1
      if (open === 0) resolve(found)
    })
  }
  return promise
}

function toFacts(path: string, stats: Stats): FileFacts {
  const { size, mtimeMs, ctimeMs, ino } = stats
  const isPlain = stats.isFile()
  const stamp = `${READING} ${size} ${mtimeMs} ${ctimeMs} ${ino}${isPlain ? '' : ' no file'}`
  return { path, stamp, isPlain, size, at: new Date(Math.trunc(mtimeMs)) }
}
