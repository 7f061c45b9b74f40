import { mkdirSync, statSync, accessSync, constants, statfsSync } from 'node:fs'
import { lstat, rmdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { errorCode } from '../error-code.ts'
import { inheritOwnerSync } from './file-owner.ts'

/** What is free on the file system of a folder. */
type FreeDiskSpace = {
  mb: number
  /** Whether the file system can hold another file. */
  hasFileEntries: boolean
}

/** Error codes of a folder that is not empty, is already removed, or may not be removed now. */
const KEPT_FOLDER_CODES = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY'])

/**
 * Creates a folder with its missing parents and returns the created ones. `mkdir` with `recursive` is not used: in
 * /proc, where it can create nothing, Node repeats it forever.
 */
export function createFoldersSync(path: string, mode: number): string[] {
  const missing: string[] = []
  for (let folder = resolve(path); !isFolder(folder); folder = dirname(folder)) {
    missing.unshift(folder)
  }
  return missing.filter((folder) => createFolderSync(folder, mode))
}

/** Creates a folder with its missing parents. Under root, each belongs to the owner of the folder it is in. */
export function createOwnedFoldersSync(path: string, mode: number): void {
  for (const created of createFoldersSync(path, mode)) inheritOwnerSync(created)
}

/** False when the folder already exists. */
function createFolderSync(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && isFolder(path)) return false
    throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

export function readFreeDiskSpace(folder: string): FreeDiskSpace {
  const { bavail, bsize, files, ffree } = statfsSync(folder)
  // A file system that does not count files, such as Btrfs, reports none at all.
  const hasFileEntries = files === 0 || ffree > 0
  return { mb: Math.floor((bavail * bsize) / (1024 * 1024)), hasFileEntries }
}

export function readFreeDiskMb(folder: string): number {
  return readFreeDiskSpace(folder).mb
}

/** Why this process cannot create files in the folder (`EROFS`, `EACCES`, …); null when it can. */
export function findFolderAccessErrorCode(folder: string): string | null {
  try {
    // The slash makes a file in place of the folder an error (ENOTDIR).
    accessSync(`${folder}/`, constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    return errorCode(error)
  }
}

/** True if a link, folder or device already has the name of a file to write, which must not be replaced. */
export async function isPathBlocked(path: string): Promise<boolean> {
  try {
    return !(await lstat(path)).isFile()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Removes the folders of a removed file that are empty, up to `root`, which stays. */
export async function removeEmptyFolders(path: string, root: string): Promise<void> {
  for (let folder = dirname(path); folder !== root; folder = dirname(folder)) {
    try {
      await rmdir(folder)
    } catch (error) {
      if (KEPT_FOLDER_CODES.has(errorCode(error))) return
      throw error
    }
  }
}
