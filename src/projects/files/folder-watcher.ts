import { watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../lib/error-code.ts'

/** Watches folders for changes. Folders are added one by one as a walk finds them. */
export interface WatchedFolderSet extends Disposable {
  /** Starts watching a folder. Does nothing when it is already watched or does not exist. */
  add(folder: string): void
  /** Stops watching a removed folder and all below it. Otherwise the watch would follow a folder that was moved away. */
  remove(folder: string): void
}

/** The OS limits the watches per account. Periodic reconciliation finds changes in folders beyond this number. */
const MAX_FOLDERS = 4_000
/** Error codes of `watch` when no more watches are allowed, or when the folder may not be watched. */
const UNWATCHABLE_CODES = new Set(['ENOSPC', 'EMFILE', 'ENFILE', 'EACCES', 'EPERM'])
/** Error codes of `watch` when the folder was removed in the meantime. */
const NOT_FOUND_CODES = new Set(['ENOENT', 'ENOTDIR'])

/**
 * Sets one watch per folder and none for files. Node's recursive watch sets one for every file on Linux, which takes
 * seconds and uses up the watches of the OS account when there are many files.
 */
export function createWatchedFolderSet(
  root: string,
  onChange: (folder: string, name: string | null) => void,
): WatchedFolderSet {
  const watchers = new Map<string, FSWatcher>()
  let isDisposed = false
  const unwatch = (folder: string) => {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue
      watcher.close()
      watchers.delete(path)
    }
  }
  return {
    remove: unwatch,
    add(folder) {
      if (isDisposed || watchers.has(folder) || watchers.size >= MAX_FOLDERS) return
      try {
        const watcher = watch(join(root, folder), { persistent: false }, (event, name) => {
          onChange(folder, name)
          // The folder itself was moved or removed, and its watch would follow it.
          if (event === 'rename' && name === lastSegment(folder)) unwatch(folder)
        })
        watcher.on('error', () => unwatch(folder))
        watchers.set(folder, watcher)
      } catch (error) {
        const code = errorCode(error)
        if (!UNWATCHABLE_CODES.has(code) && !NOT_FOUND_CODES.has(code)) throw error
      }
    },
    [Symbol.dispose]() {
      // A walk that is still running may add further folders.
      isDisposed = true
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
    },
  }
}

function lastSegment(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1)
}
