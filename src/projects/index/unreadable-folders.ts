import type { Log } from '../../log.ts'

/** Tracks the folders that cannot be read. Each is logged once, however often it is tried. */
export interface UnreadableFolderTracker {
  /** Records a scan of a folder and its subfolders: `failures` maps the folders that could not be read to their errors. */
  recordScan(scannedFolder: string, failures: ReadonlyMap<string, unknown>): void
  count(): number
}

export function createUnreadableFolderTracker(log: Log): UnreadableFolderTracker {
  const unreadable = new Set<string>()
  return {
    recordScan(scannedFolder, failures) {
      for (const folder of unreadable) {
        if (isSameFolderOrBelow(folder, scannedFolder) && !failures.has(folder))
          unreadable.delete(folder)
      }
      for (const [folder, error] of failures) {
        if (!unreadable.has(folder)) log.error({ err: error, folder }, 'failed to read folder')
        unreadable.add(folder)
      }
    },
    count: () => unreadable.size,
  }
}

/** Whether a folder is the same as another one or below it. The empty path contains all folders. */
export function isSameFolderOrBelow(folder: string, ancestor: string): boolean {
  return ancestor === '' || folder === ancestor || folder.startsWith(`${ancestor}/`)
}
