import { constants } from 'node:fs'
import { lstat, mkdir, open, realpath, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { errorCode } from '../lib/error-code.ts'
import { syncFolder } from './files/project-folder.ts'
import { resolveInside, isPortableFileName, isProjectId } from './files/file-names.ts'

/** From the data folder on: where all projects are. */
export const PROJECTS_ROOT = posix.join('deployed-md-files', 'docs')

/** Where a document is: its project, and the way from there, with `/`. */
export type DocumentRef = { project: string; path: string }

const MAX_PATH_LENGTH = 500
const MAX_DEPTH = 10
const WRITABLE_EXTENSION = /\.(?:md|markdown|txt)$/i
/** Never waits for somebody at the other end of a pipe. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** How an open refuses what is not there, is a link, or has no folder of that name. */
const NOT_FOUND_CODES = new Set(['ENOENT', 'ELOOP', 'EMLINK', 'ENOTDIR', 'ENXIO', 'ENAMETOOLONG'])

/** The place that a caller names, if it is one at all: nothing hidden, nothing that leads up or elsewhere. */
export function parseDocumentRef(project: string, path: string): DocumentRef | null {
  return isProjectId(project) && isDocumentPath(path) ? { project, path } : null
}

/** Whether it can be the path of a document in a project. */
export function isDocumentPath(path: string): boolean {
  if (path.length > MAX_PATH_LENGTH || !path.isWellFormed()) return false
  const parts = path.split('/')
  return parts.length <= MAX_DEPTH && parts.every(isPathSegment)
}

/** Why a program may not write there, or null. What is there already may have other names. */
export function findWriteProblem({ path }: DocumentRef): string | null {
  const parts = path.split('/')
  if (!WRITABLE_EXTENSION.test(path)) return 'Must end with .md, .markdown or .txt'
  if (!parts.every(isPortableFileName)) {
    return 'Must be names that every file system takes: at most 180 bytes in composed Unicode (NFC), no control characters, none of \\ | : " < > ? *'
  }
  return null
}

/** Whether it is among the transcripts, which only the service itself writes. */
export function isInMeetingsFolder({ path }: DocumentRef): boolean {
  return /^meetings(?:\/|$)/i.test(path)
}

/** The place behind a `documentPath` as meetings carry it. */
export function parseDocumentPath(documentPath: string): DocumentRef | null {
  const [project = '', ...rest] = documentPath.startsWith(`${PROJECTS_ROOT}/`)
    ? documentPath.slice(PROJECTS_ROOT.length + 1).split('/')
    : []
  return parseDocumentRef(project, rest.join('/'))
}

export function toDocumentPath({ project, path }: DocumentRef): string {
  return posix.join(PROJECTS_ROOT, project, path)
}

/** The absolute path. Only words: whoever opens it sees to links. */
export function absolutePath(root: string, { project, path }: DocumentRef): string {
  const found = resolveInside(join(root, PROJECTS_ROOT), project, path)
  if (found === null) throw new Error('a place is inside the folder of projects')
  return found
}

/**
 * Opens the plain file at a place, or null where there is none. A link anywhere on the way counts as none. Who
 * opens many in one folder may look at the way once before and once after all of them.
 */
export async function openDocumentAt(
  root: string,
  place: DocumentRef,
  isWayPlain = hasNoLinks,
): Promise<FileHandle | null> {
  const file = absolutePath(root, place)
  try {
    if (!(await isWayPlain(root, place))) return null
    const handle = await open(file, READ_FLAGS)
    const [opened, there] = await Promise.all([handle.stat(), lstat(file)])
    // Somebody may have put a link on the way in the very moment.
    const isSame = opened.ino === there.ino && opened.dev === there.dev
    if (opened.isFile() && isSame && (await isWayPlain(root, place))) return handle
    await handle.close()
    return null
  } catch (error) {
    if (NOT_FOUND_CODES.has(errorCode(error))) return null
    throw error
  }
}

/** Removes the file at a place; false: there was none. Nothing is removed behind a link. */
export async function removeDocumentAt(root: string, place: DocumentRef): Promise<boolean> {
  const file = absolutePath(root, place)
  try {
    if (!(await hasNoLinks(root, place))) return false
    await rm(file)
    await syncFolder(dirname(file))
    return true
  } catch (error) {
    if (NOT_FOUND_CODES.has(errorCode(error))) return false
    throw error
  }
}

/** Makes the folders on the way to a place. False: something else than a folder of ours is in the way. */
export async function createParentFolders(root: string, place: DocumentRef): Promise<boolean> {
  const parts = [...PROJECTS_ROOT.split('/'), place.project, ...place.path.split('/').slice(0, -1)]
  let folder = await realpath(root)
  for (const part of parts) {
    folder = join(folder, part)
    try {
      await mkdir(folder, { mode: 0o755 })
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
    if (!(await lstat(folder)).isDirectory()) return false
  }
  return true
}

/** Whether no folder on the way is a link. */
export async function hasNoLinks(root: string, { project, path }: DocumentRef): Promise<boolean> {
  const parts = path.split('/').slice(0, -1)
  const folder = join(PROJECTS_ROOT, project, ...parts)
  return (await realpath(join(root, folder))) === join(await realpath(root), folder)
}

function isPathSegment(part: string): boolean {
  return part !== '' && !part.startsWith('.') && !/[\0\\]/.test(part)
}
