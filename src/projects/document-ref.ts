import { strict as assert } from 'node:assert'
import { constants } from 'node:fs'
import { lstat, mkdir, open, realpath, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join, posix, resolve } from 'node:path'
import { OperatorError } from '../lib/operator-error.ts'
import { errorCode } from '../lib/error-code.ts'
import { inheritOwnerSync } from '../lib/files/file-owner.ts'
import { explainBadName } from '../lib/text/bad-names.ts'
import { resolvePathInside, isPortableFileName, isProjectId } from './files/file-names.ts'

/** Error codes for systems that cannot sync a folder and need not, and for a folder that was removed. */
const SYNC_UNSUPPORTED_CODES = new Set([
  'EISDIR',
  'EPERM',
  'EACCES',
  'EINVAL',
  'ENOTSUP',
  'EBADF',
  'ENOENT',
])

export const MEETINGS_FOLDER = ['meetings'] as const

/** The folder of all projects, relative to the data folder. */
export const PROJECTS_ROOT = posix.join('deployed-md-files', 'docs')

/** Identifies a document by its project and its path in the project's folder. Uses `/` on every system. */
export type DocumentRef = { project: string; path: string }

const MAX_PATH_LENGTH = 500
const MAX_DEPTH = 10
const WRITABLE_EXTENSION = /\.(?:md|markdown|txt)$/i
/** O_NONBLOCK: opening a named pipe must not wait for its writer. O_NOFOLLOW: refuses symbolic links. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** How often opening is retried if the document is replaced at the same time. */
export const MAX_OPEN_ATTEMPTS = 10
/** Error codes of `open` for a missing file, a symbolic link or a missing parent folder. */
const NOT_FOUND_CODES = new Set(['ENOENT', 'ELOOP', 'EMLINK', 'ENOTDIR', 'ENXIO', 'ENAMETOOLONG'])

/** Validates a project id and path from a caller. Null for hidden names, `..` and other invalid paths. */
export function parseDocumentRef(project: string, path: string): DocumentRef | null {
  return isProjectId(project) && isSafePathInProject(path) ? { project, path } : null
}

/** True if the text is a valid path of a document in a project. */
export function isSafePathInProject(path: string): boolean {
  if (path.length > MAX_PATH_LENGTH || !path.isWellFormed()) return false
  const parts = path.split('/')
  return parts.length <= MAX_DEPTH && parts.every(isPathSegment)
}

/** Why the API may not write to this path; null if it may. Existing files may break these rules. */
export function findFileNameProblemForWrite({ path }: DocumentRef): string | null {
  const parts = path.split('/')
  if (!WRITABLE_EXTENSION.test(path)) return 'Must end with .md, .markdown or .txt'
  if (!parts.every(isPortableFileName)) {
    return explainBadName('document', path)
  }
  return null
}

/** True if the document is in the `meetings` folder, where only the service writes. */
export function isInMeetingsFolder({ path }: DocumentRef): boolean {
  return /^meetings(?:\/|$)/i.test(path)
}

/** Parses a meeting's `documentPath`. Null if it is not the path of a document. */
export function parsePathInDataFolder(documentPath: string): DocumentRef | null {
  const [project = '', ...rest] = documentPath.startsWith(`${PROJECTS_ROOT}/`)
    ? documentPath.slice(PROJECTS_ROOT.length + 1).split('/')
    : []
  return parseDocumentRef(project, rest.join('/'))
}

export function formatPathInDataFolder({ project, path }: DocumentRef): string {
  return posix.join(PROJECTS_ROOT, project, path)
}

/** The absolute path of a document. Before opening the file, the caller must check the path for symbolic links. */
export function buildAbsoluteDocumentPath(
  dataFolder: string,
  { project, path }: DocumentRef,
): string {
  const found = resolvePathInside(join(dataFolder, PROJECTS_ROOT), project, path)
  if (found === null) throw new Error('a document ref must be inside the projects folder')
  return found
}

/**
 * Opens a document. Null if there is no regular file, or a folder on its path is a symbolic link. A caller that opens
 * many documents in one folder can pass a `checkNoLinks` that checks the folder only once.
 */
export async function openDocumentAt(
  root: string,
  ref: DocumentRef,
  checkNoLinks = hasNoLinkedFolders,
): Promise<FileHandle | null> {
  const file = buildAbsoluteDocumentPath(root, ref)
  try {
    for (let attempt = 1; attempt <= MAX_OPEN_ATTEMPTS; attempt += 1) {
      if (!(await checkNoLinks(root, ref))) return null
      const handle = await open(file, READ_FLAGS)
      const state = await compareWithPath(handle, file)
      if (state === 'same' && (await checkNoLinks(root, ref))) return handle
      await handle.close()
      if (state === 'not a file') return null
    }
    return null
  } catch (error) {
    if (NOT_FOUND_CODES.has(errorCode(error))) return null
    throw error
  }
}

/**
 * Tells if the path still leads to the opened file. A writer may have replaced the file with a new version, or a folder
 * on the path may have been replaced with a symbolic link.
 */
async function compareWithPath(
  handle: FileHandle,
  file: string,
): Promise<'same' | 'replaced' | 'not a file'> {
  try {
    const [opened, current] = await Promise.all([handle.stat(), lstat(file)])
    if (!opened.isFile()) return 'not a file'
    return opened.ino === current.ino && opened.dev === current.dev ? 'same' : 'replaced'
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Removes a document. False if there is none, or a folder on its path is a symbolic link. */
export async function removeDocumentAt(dataFolder: string, ref: DocumentRef): Promise<boolean> {
  const file = buildAbsoluteDocumentPath(dataFolder, ref)
  try {
    if (!(await hasNoLinkedFolders(dataFolder, ref))) return false
    await rm(file)
    await flushFolderToDisk(dirname(file))
    return true
  } catch (error) {
    if (NOT_FOUND_CODES.has(errorCode(error))) return false
    throw error
  }
}

/** Creates the parent folders of a document. False if one of them exists as a link or a file. */
export async function createParentFolders(dataFolder: string, ref: DocumentRef): Promise<boolean> {
  const parts = [...PROJECTS_ROOT.split('/'), ref.project, ...ref.path.split('/').slice(0, -1)]
  let folder = await realpath(dataFolder)
  for (const part of parts) {
    folder = join(folder, part)
    try {
      await mkdir(folder, { mode: 0o755 })
      inheritOwnerSync(folder)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
    if (!(await lstat(folder)).isDirectory()) return false
  }
  return true
}

/** True if no folder on the path to the document is a symbolic link. */
export async function hasNoLinkedFolders(
  root: string,
  { project, path }: DocumentRef,
): Promise<boolean> {
  const parts = path.split('/').slice(0, -1)
  const folder = join(PROJECTS_ROOT, project, ...parts)
  return (await realpath(join(root, folder))) === join(await realpath(root), folder)
}

function isPathSegment(segment: string): boolean {
  return segment !== '' && !segment.startsWith('.') && !/[\0\\]/.test(segment)
}

/**
 * Creates the folder for a project's documents if it does not exist. Refuses a path on which a link or a file has the
 * name of a folder. The data folder itself may be a symbolic link.
 */
export async function createProjectFolder(
  root: string,
  project: string,
  within: readonly string[],
): Promise<string> {
  assert.ok(isProjectId(project), 'the project id must be valid')
  const parts = pathSegmentsOfFolderInProject(project, within)
  let folder = resolve(root)
  for (const [i, part] of parts.entries()) {
    const parent = folder
    folder = join(folder, part)
    if (await createFolder(folder)) await flushFolderToDisk(parent)
    if (!(await lstat(folder)).isDirectory()) {
      throw new OperatorError(
        `${parts.slice(0, i + 1).join('/')} is not a folder; links are not followed`,
        'Replace it with a real folder',
      )
    }
  }
  return folder
}

/** The path of a folder in a project, as segments relative to the data folder. */
export function pathSegmentsOfFolderInProject(
  project: string,
  within: readonly string[],
): [string, ...string[]] {
  return ['deployed-md-files', 'docs', project, ...within]
}

async function createFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o755 })
    inheritOwnerSync(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Flushes a folder's new and changed names to disk, if the operating system supports it. */
export async function flushFolderToDisk(path: string): Promise<void> {
  try {
    await using folder = await open(path, 'r')
    await folder.sync()
  } catch (error) {
    if (!SYNC_UNSUPPORTED_CODES.has(errorCode(error))) throw error
  }
}
