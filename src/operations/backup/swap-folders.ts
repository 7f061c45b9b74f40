import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../../errors.ts'
import { errorMessageOf } from '../../lib/error-code.ts'
import { createOwnedFoldersSync } from '../../lib/files/create-folders.ts'
import {
  formatPathBeforeRestore,
  removeRestoreMarker,
  writeRestoreMarker,
} from '../../storage/data-folder.ts'
import { USER_FILE_FOLDERS, hasFilesInFolder } from './data-files.ts'

type FolderSwap = {
  /** The data folder. */
  root: string
  /** The folder with the new folders. */
  fresh: string
  /** The backup from which they come. */
  file: string
  now: Date
}

/**
 * Moves the folders in `fresh` to their places. Existing files are kept next to them, in folders with a `.before-`
 * suffix. When one folder cannot be moved, all are moved back. Otherwise the restore marker stays in the data folder
 * until the caller has committed the rows.
 */
export async function swapFolders({ root, fresh, file, now }: FolderSwap): Promise<void> {
  writeRestoreMarker(root, { file, since: now.toISOString() })
  const moved: Array<{ from: string; to: string }> = []
  const move = async (from: string, to: string) => {
    await rename(from, to)
    moved.push({ from, to })
  }
  try {
    for (const name of USER_FILE_FOLDERS) {
      const target = join(root, name)
      createOwnedFoldersSync(join(fresh, name), 0o755)
      if (await hasFilesInFolder(root, name))
        await move(target, formatPathBeforeRestore(target, now))
      else await rm(target, { recursive: true, force: true })
      await move(join(fresh, name), target)
    }
  } catch (error) {
    await moveBack(moved, error)
    removeRestoreMarker(root)
    throw error
  }
}

async function moveBack(
  moved: ReadonlyArray<{ from: string; to: string }>,
  cause: unknown,
): Promise<void> {
  for (const { from, to } of moved.toReversed()) {
    try {
      await rename(to, from)
    } catch (error) {
      throw new OperatorError(
        `The restore failed (${errorMessageOf(cause)}), and ${to} could not be moved back: ${errorMessageOf(error)}`,
        `Move it to ${from}, then repeat the restore`,
        cause,
      )
    }
  }
}
