import { mkdirSync, statSync, accessSync, constants, statfsSync } from 'node:fs'
import { lstat, rmdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { errorCode } from '../error-code.ts'
import { inheritOwnerSync } from './file-owner.ts'

type FreeDiskSpace = {
  mb: number
  /** True if the file system can hold another file. */
  hasFileEntries: boolean
}

/** Error codes of a folder that is not empty, is already removed, or can't be removed now. */
const KEPT_FOLDER_CODES = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY'])

/**
 * Creates a folder and its missing parents. Returns the created ones. Does not use `mkdir` with `recursive`, because in
 * /proc, where nothing can be created, Node repeats it forever.
 */
export function createFoldersSync(path: string, mode: number): string[] {
  const missing: string[] = []
  for (let folder = resolve(path); !isFolder(folder); folder = dirname(folder)) {
    missing.unshift(folder)
  }
  return missing.filter((folder) => createFolderSync(folder, mode))
}

/** Creates a folder and its missing parents. Under root, each belongs to the owner of its parent folder. */
export function createOwnedFoldersSync(path: string, mode: number): void {
  for (const created of createFoldersSync(path, mode)) inheritOwnerSync(created)
}

/** False if the folder already exists. */
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
  // A file system that does not count files, such as Btrfs, reports 0 in total.
  const hasFileEntries = files === 0 || ffree > 0
  return { mb: Math.floor((bavail * bsize) / (1024 * 1024)), hasFileEntries }
}

export function readFreeDiskMb(folder: string): number {
  return readFreeDiskSpace(folder).mb
}

/** Why this process can't create files in the folder (`EROFS`, `EACCES`, …). Null if it can. */
export function findFolderAccessErrorCode(folder: string): string | null {
  try {
    // The slash makes a file in place of the folder an error (ENOTDIR).
    accessSync(`${folder}/`, constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    return errorCode(error)
  }
}

/** True if the name of a file to write belongs to a link, folder or device, which must not be replaced. */
export async function isPathBlocked(path: string): Promise<boolean> {
  try {
    return !(await lstat(path)).isFile()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Removes a removed file's folders that are empty, up to `root`, which stays. */
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
