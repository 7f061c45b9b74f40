import { watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../lib/error-code.ts'

/** Tells what changes in folders, one by one as they are found. */
export interface FolderWatcher extends Disposable {
  /** From now on; a folder that is watched already, or is gone, is fine. */
  add(folder: string): void
  /** A folder is gone, and with it all below: a watch would follow it to wherever it was moved. */
  remove(folder: string): void
  /** Whether every folder is watched: if not, only looking again tells what changed there. */
  isComplete(): boolean
}

/** The system gives watches to all programs of an account together; beyond that, looking again has to do. */
const MAX_FOLDERS = 4_000
/** How a system says that there are no more watches, and that a folder went away in the meantime. */
const WATCH_LIMIT_CODES = new Set(['ENOSPC', 'EMFILE', 'ENFILE', 'EACCES', 'EPERM'])
const NOT_FOUND_CODES = new Set(['ENOENT', 'ENOTDIR'])

/**
 * One watch for each folder, none for files: Node's own recursive watch sets one for every file on Linux,
 * which takes seconds and all watches of the account when there are many.
 */
export function watchFolders(
  root: string,
  onChange: (folder: string, name: string | null) => void,
): FolderWatcher {
  const watchers = new Map<string, FSWatcher>()
  let isComplete = true
  const drop = (folder: string) => {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue
      watcher.close()
      watchers.delete(path)
    }
  }
  return {
    remove: drop,
    add(folder) {
      if (watchers.has(folder)) return
      if (watchers.size >= MAX_FOLDERS) {
        isComplete = false
        return
      }
      try {
        const watcher = watch(join(root, folder), { persistent: false }, (event, name) => {
          onChange(folder, name)
          // The folder itself was moved or removed: its watch follows it away.
          if (event === 'rename' && name === lastSegment(folder)) drop(folder)
        })
        watcher.on('error', () => drop(folder))
        watchers.set(folder, watcher)
      } catch (error) {
        const code = errorCode(error)
        if (WATCH_LIMIT_CODES.has(code)) isComplete = false
        else if (!NOT_FOUND_CODES.has(code)) throw error
      }
    },
    isComplete: () => isComplete,
    [Symbol.dispose]() {
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
    },
  }
}

function lastSegment(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1)
}
