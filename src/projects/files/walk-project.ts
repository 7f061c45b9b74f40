import { lstat, type Dirent, type Stats } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sortByBytes } from '../../lib/text/byte-order.ts'
import { errorCode } from '../../lib/error-code.ts'
import { isProjectId } from './file-names.ts'
import { isDocumentPath } from '../document-ref.ts'
import { isFileAccessError } from './file-access-errors.ts'

/** What the file system says of a file. `stamp` differs whenever the file may have changed. */
export type FileInfo = {
  path: string
  stamp: string
  isRegularFile: boolean
  size: number
  modifiedAt: Date
}

/** Files of one folder in the order of their bytes; those between `after` and `upTo` are all there are. */
export type FolderSlice = {
  project: string
  folder: string
  /** Path of the last file of the slice before; empty: this is the first one. */
  after: string
  /** Path of the last file; null: the folder ends here. */
  upTo: string | null
  files: FileInfo[]
}

export type WalkHandlers = {
  /** Every folder is told before its files are looked at, the project's own first. */
  onFolder?: (project: string, folder: string) => void
  onSkippedName?: (project: string, path: string) => void
  /** A folder cannot be read: what it holds is not known, and the walk goes on without it. */
  onUnreadableFolder?: (project: string, folder: string, error: unknown) => void
}

/** Raised when what is read from files changes, so that all of them are read again. */
const INDEX_FORMAT_VERSION = 1
const SLICE_SIZE = 2_000
const MAX_CONCURRENT_STATS = 64
const MAX_DEPTH = 9
const NOT_FOUND_CODES = new Set(['ENOENT', 'ENOTDIR'])

/** The folders of projects in `docs`, sorted. A link is none of them. */
export async function listProjectFolders(docs: string): Promise<string[]> {
  const entries = await readEntries(docs)
  return entries
    .filter((entry) => entry.isDirectory() && isProjectId(entry.name))
    .map(({ name }) => name)
}

/** Looks at every file of a project without opening one. Memory does not grow but with the names of a folder. */
export async function* walkProject(
  docs: string,
  project: string,
  walk: WalkHandlers = {},
  from = '',
): AsyncGenerator<FolderSlice, void, undefined> {
  const folders = [from]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    walk.onFolder?.(project, folder)
    try {
      const { paths, below } = await listFolder(docs, project, folder, walk)
      folders.push(...below)
      yield* readSlices(docs, project, folder, paths)
    } catch (error) {
      if (!isFileAccessError(error)) throw error
      walk.onUnreadableFolder?.(project, folder, error)
    }
  }
}

/** The files of a folder and the folders in it, as paths from the project on. */
async function listFolder(docs: string, project: string, folder: string, walk: WalkHandlers) {
  const paths: string[] = []
  const below: string[] = []
  const prefix = folder === '' ? '' : `${folder}/`
  for (const entry of await readEntries(join(docs, project, folder))) {
    const path = `${prefix}${entry.name}`
    if (entry.name.startsWith('.')) continue
    // A name that is not UTF-8 comes with a stand-in, by which the file cannot be found again.
    if (entry.name.includes('\ufffd') || !isDocumentPath(path)) {
      walk.onSkippedName?.(project, path)
    } else if (!entry.isDirectory()) paths.push(path)
    else if (path.split('/').length <= MAX_DEPTH) below.push(path)
  }
  return { paths, below }
}

/** What is at a path now; null: nothing, or a folder. */
export async function readFileInfo(file: string, path: string): Promise<FileInfo | null> {
  const found = await statOf(file)
  return found === null || found.isDirectory() ? null : toFileInfo(path, found)
}

/** Sorted by their bytes; a folder that is gone or is none has no entries. */
async function readEntries(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return sortByBytes(entries, ({ name }) => name)
  } catch (error) {
    if (NOT_FOUND_CODES.has(errorCode(error))) return []
    throw error
  }
}

async function* readSlices(
  docs: string,
  project: string,
  folder: string,
  paths: string[],
): AsyncGenerator<FolderSlice, void, undefined> {
  let after = ''
  for (let start = 0; start === 0 || start < paths.length; start += SLICE_SIZE) {
    const part = paths.slice(start, start + SLICE_SIZE)
    const files: FileInfo[] = []
    for (let i = 0; i < part.length; i += MAX_CONCURRENT_STATS) {
      const group = part.slice(i, i + MAX_CONCURRENT_STATS)
      const found = await statAll(group.map((path) => join(docs, project, path)))
      group.forEach((path, k) => {
        const stats = found[k]
        if (stats && !stats.isDirectory()) files.push(toFileInfo(path, stats))
      })
    }
    const upTo = start + SLICE_SIZE < paths.length ? (part.at(-1) ?? null) : null
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
      else if (!NOT_FOUND_CODES.has(errorCode(error))) reject(error)
      open -= 1
      if (open === 0) resolve(found)
    })
  }
  return promise
}

function toFileInfo(path: string, stats: Stats): FileInfo {
  const { size, mtimeMs, ctimeMs, ino } = stats
  const isRegularFile = stats.isFile()
  const stamp = `${INDEX_FORMAT_VERSION} ${size} ${mtimeMs} ${ctimeMs} ${ino}${isRegularFile ? '' : ' no file'}`
  return { path, stamp, isRegularFile, size, modifiedAt: new Date(Math.trunc(mtimeMs)) }
}
