import {
  readdirSync,
  statSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  openSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../error-code.ts'

export type FileOwner = { uid: number; gid: number }

const ROOT_UID = 0
/** Error codes of file systems without owners, or with owners that this system does not know. */
const NO_OWNERS_CODES = new Set(['EPERM', 'EINVAL', 'ENOTSUP', 'ENOSYS', 'EROFS'])

/** A file, folder or link that stays the same until disposed, even if its name is given to another one. */
type HeldEntry = Disposable & {
  stats: Stats
  /** Leads to this entry until it is disposed. */
  path: string
  setOwner(uid: number, gid: number): void
}

/** Opens an entry of any type without reading it. Node has no name for this Linux flag. */
const O_PATH = 0o10000000
const DESCRIPTORS = '/proc/self/fd'
/** On other systems, a path can lead to another entry between two calls. */
const CAN_HOLD = process.platform === 'linux' && existsSync(DESCRIPTORS)

export function isRunByRoot(): boolean {
  return process.getuid?.() === ROOT_UID
}

/**
 * Under root, the account that owns the folder. Null if root owns it, or if this process does not run as root. The
 * files that root creates there must be given to that account, because it could not use them otherwise.
 */
export function findNonRootOwner(folder: string): FileOwner | null {
  if (!isRunByRoot()) return null
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined || found.uid === ROOT_UID) return null
  return { uid: found.uid, gid: found.gid }
}

/** Under root, gives a new file or folder to the owner of its parent folder. */
export function inheritOwnerSync(path: string, openFile?: { fd: number }): void {
  if (!isRunByRoot()) return
  using folder = holdEntry(dirname(path), 'follow links')
  if (folder === null || folder.stats.uid === ROOT_UID) return
  using entry =
    openFile === undefined ? holdEntry(join(folder.path, basename(path))) : toHeldEntry(openFile.fd)
  if (entry !== null) changeOwnerFrom([ROOT_UID], entry, folder.stats)
}

/**
 * Gives the entries below a path to the account if they belong to one of `fromUids`, and the path itself last. An
 * interrupted change is repeated, because the path still has the wrong owner. Links are never followed, on Linux not
 * even if the account meanwhile replaces a folder with a link.
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

/** Null if there is no such entry. A path that is a link leads to the link itself unless links are followed. */
export function holdEntry(path: string, links?: 'follow links'): HeldEntry | null {
  return CAN_HOLD ? holdDescriptor(path, links) : readEntry(path, links)
}

/** Wraps a file that the caller has opened and will close. */
function toHeldEntry(fd: number): HeldEntry {
  return {
    stats: fstatSync(fd),
    path: `${DESCRIPTORS}/${fd}`,
    setOwner: (uid, gid) => fchownSync(fd, uid, gid),
    [Symbol.dispose]: () => undefined,
  }
}

function holdDescriptor(path: string, links?: 'follow links'): HeldEntry | null {
  let fd: number
  try {
    fd = openSync(path, O_PATH | (links === undefined ? constants.O_NOFOLLOW : 0))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null
    throw error
  }
  const held = `${DESCRIPTORS}/${fd}`
  return {
    stats: fstatSync(fd),
    path: held,
    // The system refuses fchown for this kind of descriptor. This path leads to the entry itself, even to a link.
    setOwner: (uid, gid) => chownSync(held, uid, gid),
    [Symbol.dispose]: () => closeSync(fd),
  }
}

function readEntry(path: string, links?: 'follow links'): HeldEntry | null {
  const read = links === undefined ? lstatSync : statSync
  const stats = read(path, { throwIfNoEntry: false })
  if (stats === undefined) return null
  return {
    stats,
    path,
    setOwner: (uid, gid) => lchownSync(path, uid, gid),
    [Symbol.dispose]: () => undefined,
  }
}
