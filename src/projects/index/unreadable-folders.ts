import type { Log } from '../../log.ts'

/** Folders that cannot be read. The log has each of them once, however often it is tried. */
export interface UnreadableFolders {
  /** A folder was looked at with all below: these could not be read, and why. */
  recordScan(at: string, closed: ReadonlyMap<string, unknown>): void
  count(): number
}

export function createUnreadableFolders(log: Log): UnreadableFolders {
  const known = new Set<string>()
  return {
    recordScan(at, closed) {
      for (const folder of known) {
        if (isSameOrBelow(folder, at) && !closed.has(folder)) known.delete(folder)
      }
      for (const [folder, error] of closed) {
        if (!known.has(folder)) log.error({ err: error, folder }, 'folder cannot be read')
        known.add(folder)
      }
    },
    count: () => known.size,
  }
}

/** Whether a folder is another one or below it; the empty one has all of them. */
export function isSameOrBelow(folder: string, other: string): boolean {
  return other === '' || folder === other || folder.startsWith(`${other}/`)
}
