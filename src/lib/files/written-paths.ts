import { lstat, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../error-code.ts'

/** Error codes of a folder that is not empty, is already removed, or may not be removed now. */
const KEPT_FOLDER_CODES = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY'])

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
