import { accessSync, constants, statfsSync } from 'node:fs'
import { errorCode } from '../error-code.ts'

/** What is free on the file system of a folder. */
export type FreeDiskSpace = {
  mb: number
  /** Whether the file system can hold another file. */
  hasFileEntries: boolean
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
