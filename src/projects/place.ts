import { constants } from 'node:fs'
import { lstat, mkdir, open, realpath, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { errorCode } from '../lib/error-code.ts'
import { syncFolder } from './meetings-folder.ts'
import { insideFolder, isFileName, isProjectId } from './names.ts'

/** From the data folder on: where all projects are. */
export const DOCS = posix.join('deployed-md-files', 'docs')

/** Where a document is: its project, and the way from there, with `/`. */
export type Place = { project: string; path: string }

const MAX_PATH_LENGTH = 500
const MAX_DEPTH = 10
const WRITABLE = /\.(?:md|markdown|txt)$/i
/** Never waits for somebody at the other end of a pipe. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** How an open refuses what is not there, is a link, or has no folder of that name. */
const NOT_THERE = new Set(['ENOENT', 'ELOOP', 'EMLINK', 'ENOTDIR', 'ENXIO', 'ENAMETOOLONG'])

/** The place that a caller names, if it is one at all: nothing hidden, nothing that leads up or elsewhere. */
export function readPlace(project: string, path: string): Place | null {
  return isProjectId(project) && isPath(path) ? { project, path } : null
}

/** Whether it can be the path of a document in a project. */
export function isPath(path: string): boolean {
  if (path.length > MAX_PATH_LENGTH || !path.isWellFormed()) return false
  const parts = path.split('/')
  return parts.length <= MAX_DEPTH && parts.every(isPart)
}

/** Why a program may not write there, or null. What is there already may have other names. */
export function refuseToWrite({ path }: Place): string | null {
  const parts = path.split('/')
  if (!WRITABLE.test(path)) return 'Must end with .md, .markdown or .txt'
  if (!parts.every(isFileName)) {
    return 'Must be names that every file system takes: at most 180 bytes in composed Unicode (NFC), no control characters, none of \\ | : " < > ? *'
  }
  return null
}

/** Whether it is among the transcripts, which only the service itself writes. */
export function isOfMeetings({ path }: Place): boolean {
  return /^meetings(?:\/|$)/i.test(path)
}

/** The place behind a `documentPath` as meetings carry it. */
export function placeOf(documentPath: string): Place | null {
  const [project = '', ...rest] = documentPath.startsWith(`${DOCS}/`)
    ? documentPath.slice(DOCS.length + 1).split('/')
    : []
  return readPlace(project, rest.join('/'))
}

export function documentPathOf({ project, path }: Place): string {
  return posix.join(DOCS, project, path)
}

/** The absolute path. Only words: whoever opens it sees to links. */
export function absolutePath(root: string, { project, path }: Place): string {
  const found = insideFolder(join(root, DOCS), project, path)
  if (found === null) throw new Error('a place is inside the folder of projects')
  return found
}

/**
 * Opens the plain file at a place, or null where there is none. A link anywhere on the way counts as none. Who
 * opens many in one folder may look at the way once before and once after all of them.
 */
export async function openPlace(
  root: string,
  place: Place,
  isWayPlain = isWithoutLinks,
): Promise<FileHandle | null> {
  const file = absolutePath(root, place)
  try {
    if (!(await isWayPlain(root, place))) return null
    const handle = await open(file, READ)
    const [opened, there] = await Promise.all([handle.stat(), lstat(file)])
    // Somebody may have put a link on the way in the very moment.
    const isSame = opened.ino === there.ino && opened.dev === there.dev
    if (opened.isFile() && isSame && (await isWayPlain(root, place))) return handle
    await handle.close()
    return null
  } catch (error) {
    if (NOT_THERE.has(errorCode(error))) return null
    throw error
  }
}

/** Removes the file at a place; false: there was none. Nothing is removed behind a link. */
export async function removePlace(root: string, place: Place): Promise<boolean> {
  const file = absolutePath(root, place)
  try {
    if (!(await isWithoutLinks(root, place))) return false
    await rm(file)
    await syncFolder(dirname(file))
    return true
  } catch (error) {
    if (NOT_THERE.has(errorCode(error))) return false
    throw error
  }
}

/** Makes the folders on the way to a place. False: something else than a folder of ours is in the way. */
export async function makeWay(root: string, place: Place): Promise<boolean> {
  const parts = [...DOCS.split('/'), place.project, ...place.path.split('/').slice(0, -1)]
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
export async function isWithoutLinks(root: string, { project, path }: Place): Promise<boolean> {
  const parts = path.split('/').slice(0, -1)
  const folder = join(DOCS, project, ...parts)
  return (await realpath(join(root, folder))) === join(await realpath(root), folder)
}

function isPart(part: string): boolean {
  return part !== '' && !part.startsWith('.') && !/[\0\\]/.test(part)
}
