import { lstat, type Dirent, type Stats } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../lib/error-code.ts'
import { sortByUtf8Bytes } from '../../lib/text/compare-text.ts'
import { isSafePathInProject } from '../document-ref.ts'
import { isProjectId } from './file-names.ts'

/** File system metadata. `stamp` differs whenever the file may have changed. */
export type FileInfo = {
  path: string
  stamp: string
  isRegularFile: boolean
  size: number
  modifiedAt: Date
}

/** A byte-ordered range of files in a folder. It contains every file with `after` < path <= `upTo`. */
export type FolderSlice = {
  project: string
  folder: string
  /** Path of the previous slice's last file; empty for the first slice. */
  after: string
  /** Path of this slice's last file; null for the folder's last slice. */
  upTo: string | null
  files: FileInfo[]
}

export type WalkHandlers = {
  /** Called for each folder before its files are read, starting with the project's folder. */
  onFolder?: (project: string, folder: string) => void
  /** Called for a file whose name is not a valid document path. */
  onSkippedName?: (project: string, path: string) => void
  /** Called for each folder that cannot be read. The walk continues without it. */
  onUnreadableFolder?: (project: string, folder: string, error: unknown) => void
}

/** Part of every file stamp. Increase it if the index stores something new, so that all files are read again. */
const INDEX_FORMAT_VERSION = 2
const SLICE_SIZE = 2_000
const MAX_CONCURRENT_STATS = 64
const MAX_DEPTH = 9
const NOT_FOUND_CODES = new Set(['ENOENT', 'ENOTDIR'])

const ACCESS_ERROR_CODES = new Set(['EACCES', 'EPERM', 'EIO', 'EBUSY', 'ESTALE'])

/** The names of the project folders in `docs`, sorted and without links. */
export async function listProjectFolders(projectsFolder: string): Promise<string[]> {
  const entries = await readEntries(projectsFolder)
  return entries
    .filter((entry) => entry.isDirectory() && isProjectId(entry.name))
    .map(({ name }) => name)
}

/** Yields the metadata of every file in a project without opening them. Memory only grows with the largest folder. */
export async function* walkProject(
  docs: string,
  project: string,
  handlers: WalkHandlers = {},
  from = '',
): AsyncGenerator<FolderSlice, void, undefined> {
  const folders = [from]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    handlers.onFolder?.(project, folder)
    try {
      const { paths, subfolders } = await listFolder(docs, project, folder, handlers)
      folders.push(...subfolders)
      yield* readSlices(docs, project, folder, paths)
    } catch (error) {
      if (!isFileAccessError(error)) throw error
      handlers.onUnreadableFolder?.(project, folder, error)
    }
  }
}

/** Lists a folder's files and subfolders as paths relative to the project's folder. */
async function listFolder(docs: string, project: string, folder: string, handlers: WalkHandlers) {
  const paths: string[] = []
  const subfolders: string[] = []
  const prefix = folder === '' ? '' : `${folder}/`
  for (const entry of await readEntries(join(docs, project, folder))) {
    const path = `${prefix}${entry.name}`
    if (entry.name.startsWith('.')) continue
    // A name that is not UTF-8 is decoded with replacement characters, so it cannot be used to open the file.
    if (entry.name.includes('\ufffd') || !isSafePathInProject(path)) {
      handlers.onSkippedName?.(project, path)
    } else if (!entry.isDirectory()) paths.push(path)
    else if (path.split('/').length <= MAX_DEPTH) subfolders.push(path)
  }
  return { paths, subfolders }
}

/** The metadata of a file; null if there is nothing or a folder at its path. */
export async function readFileInfo(
  absolutePath: string,
  pathInProject: string,
): Promise<FileInfo | null> {
  const found = await statFile(absolutePath)
  return found === null || found.isDirectory() ? null : toFileInfo(pathInProject, found)
}

/** The entries of a folder in byte order. Empty if it does not exist or is not a folder. */
async function readEntries(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return sortByUtf8Bytes(entries, ({ name }) => name)
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
    const slicePaths = paths.slice(start, start + SLICE_SIZE)
    const files: FileInfo[] = []
    for (let i = 0; i < slicePaths.length; i += MAX_CONCURRENT_STATS) {
      const group = slicePaths.slice(i, i + MAX_CONCURRENT_STATS)
      const found = await statAll(group.map((path) => join(docs, project, path)))
      group.forEach((path, k) => {
        const stats = found[k]
        if (stats && !stats.isDirectory()) files.push(toFileInfo(path, stats))
      })
    }
    const upTo = start + SLICE_SIZE < paths.length ? (slicePaths.at(-1) ?? null) : null
    yield { project, folder, after, upTo, files }
    after = upTo ?? ''
  }
}

async function statFile(file: string): Promise<Stats | null> {
  const [found = null] = await statAll([file])
  return found
}

/**
 * Calls `lstat` for all files concurrently with one promise, because one promise per file would cost as much as the
 * file system.
 */
function statAll(files: readonly string[]): Promise<Array<Stats | null>> {
  const { promise, resolve, reject } = Promise.withResolvers<Array<Stats | null>>()
  const found: Array<Stats | null> = files.map(() => null)
  let pending = files.length
  if (pending === 0) resolve(found)
  for (const [i, file] of files.entries()) {
    lstat(file, (error, stats) => {
      if (error === null) found[i] = stats
      else if (!NOT_FOUND_CODES.has(errorCode(error))) reject(error)
      pending -= 1
      if (pending === 0) resolve(found)
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

/** The stamp of a file in the database. Its version differs after every change. */
export function formatStoredFileStamp(version: string): string {
  return `${INDEX_FORMAT_VERSION} version ${version}`
}

/** True if the error only concerns this file or folder, such as a missing permission or a disk read error. */
export function isFileAccessError(error: unknown): boolean {
  return ACCESS_ERROR_CODES.has(errorCode(error))
}
