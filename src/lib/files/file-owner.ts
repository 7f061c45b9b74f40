import { fchownSync, fstatSync, lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode } from '../error-code.ts'

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
  const owner = findNonRootOwner(dirname(path))
  if (owner === null) return
  const { uid } = openFile === undefined ? lstatSync(path) : fstatSync(openFile.fd)
  if (uid !== ROOT_UID) return
  changeOwner(() =>
    openFile === undefined
      ? lchownSync(path, owner.uid, owner.gid)
      : fchownSync(openFile.fd, owner.uid, owner.gid),
  )
}

/**
 * Gives the entries below a path to the account if they belong to one of `from`, and the path itself last: an
 * interrupted change is repeated, because the path still has the wrong owner. Links are never followed, and a file with
 * a second name is left alone, because the other name may be outside.
 */
export function giveTreeToOwner(path: string, owner: FileOwner, fromUids: readonly number[]): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (found.isDirectory()) {
    for (const name of readdirSync(path)) giveTreeToOwner(join(path, name), owner, fromUids)
  }
  const isShared = found.isFile() && found.nlink > 1
  if (fromUids.includes(found.uid) && !isShared)
    changeOwner(() => lchownSync(path, owner.uid, owner.gid))
}

function changeOwner(change: () => void): void {
  try {
    change()
  } catch (error) {
    // ENOENT: removed in the meantime.
    if (!NO_OWNERS_CODES.has(errorCode(error)) && errorCode(error) !== 'ENOENT') throw error
  }
}
