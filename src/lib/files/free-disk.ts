import { accessSync, constants, statfsSync } from 'node:fs'
import { errorCode } from '../error-code.ts'

export function readFreeDiskMb(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return Math.floor((bavail * bsize) / (1024 * 1024))
}

/** Whether the file system can hold another file. One that does not count files, such as Btrfs, reports none at all. */
export function hasFreeFileEntries(folder: string): boolean {
  const { files, ffree } = statfsSync(folder)
  return files === 0 || ffree > 0
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
