import type { Log } from '../../log.ts'

/** Folders that cannot be read. The log has each of them once, however often it is tried. */
export interface ClosedFolders {
  /** A folder was looked at with all below: these could not be read, and why. */
  looked(at: string, closed: ReadonlyMap<string, unknown>): void
  count(): number
}

export function createClosedFolders(log: Log): ClosedFolders {
  const known = new Set<string>()
  return {
    looked(at, closed) {
      for (const folder of known) {
        if (isWithin(folder, at) && !closed.has(folder)) known.delete(folder)
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
export function isWithin(folder: string, other: string): boolean {
  return other === '' || folder === other || folder.startsWith(`${other}/`)
}
