import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../error-code.ts'
import { holdEntry, toHeldEntry, type HeldEntry } from './held-entry.ts'

export type FileOwner = { uid: number; gid: number }

const ROOT_UID = 0
/** Error codes of file systems without owners, or with owners that this system does not know. */
const NO_OWNERS_CODES = new Set(['EPERM', 'EINVAL', 'ENOTSUP', 'ENOSYS', 'EROFS'])

export function isRunByRoot(): boolean {
  return process.getuid?.() === ROOT_UID
}

/**
 * Under root, the account that owns the folder; null when that is root too, or when this process does not run as root.
 * What root creates in such a folder must be given to that account, which could not use it otherwise.
 */
export function findNonRootOwner(folder: string): FileOwner | null {
  if (!isRunByRoot()) return null
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined || found.uid === ROOT_UID) return null
  return { uid: found.uid, gid: found.gid }
}

/** Under root, gives a new file or folder, which belongs to root, to the owner of the folder it is in. */
export function inheritOwnerSync(path: string, openFile?: { fd: number }): void {
  if (!isRunByRoot()) return
  using folder = holdEntry(dirname(path), 'follow links')
  if (folder === null || folder.stats.uid === ROOT_UID) return
  using entry =
    openFile === undefined ? holdEntry(join(folder.path, basename(path))) : toHeldEntry(openFile.fd)
  if (entry !== null) changeOwnerFrom([ROOT_UID], entry, folder.stats)
}

/**
 * Gives the entries below a path to the account if they belong to one of `fromUids`, and the path itself last: an
 * interrupted change is repeated, because the path still has the wrong owner. Links are never followed, on Linux not
 * even if the account replaces a folder by a link meanwhile.
 */
export function giveTreeToOwner(path: string, owner: FileOwner, fromUids: readonly number[]): void {
  using entry = holdEntry(path)
  if (entry === null) return
  if (entry.stats.isDirectory()) {
    for (const name of readdirSync(entry.path))
      giveTreeToOwner(join(entry.path, name), owner, fromUids)
  }
  changeOwnerFrom(fromUids, entry, owner)
}

/** A file with a second name is left alone, because the other name may be outside. */
function changeOwnerFrom(
  fromUids: readonly number[],
  { stats, setOwner }: HeldEntry,
  owner: FileOwner,
): void {
  const isShared = stats.isFile() && stats.nlink > 1
  if (!fromUids.includes(stats.uid) || isShared) return
  try {
    setOwner(owner.uid, owner.gid)
  } catch (error) {
    // ENOENT: removed in the meantime.
    if (!NO_OWNERS_CODES.has(errorCode(error)) && errorCode(error) !== 'ENOENT') throw error
  }
}
