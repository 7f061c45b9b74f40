import {
  chownSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  openSync,
  statSync,
  type Stats,
} from 'node:fs'
import { errorCode } from '../error-code.ts'

/** A file, folder or link that stays the same one until it is disposed, even if its name is given to another one. */
export type HeldEntry = Disposable & {
  stats: Stats
  /** Leads to this entry. Valid until it is disposed. */
  path: string
  setOwner(uid: number, gid: number): void
}

/** Opens an entry of any type without reading it. A flag of Linux that Node does not name. */
const O_PATH = 0o10000000
const DESCRIPTORS = '/proc/self/fd'
/** Elsewhere a path can lead to another entry between two calls. */
const CAN_HOLD = process.platform === 'linux' && existsSync(DESCRIPTORS)

/** Null when there is no such entry. A path that is a link leads to the link itself unless links are followed. */
export function holdEntry(path: string, links?: 'follow links'): HeldEntry | null {
  return CAN_HOLD ? holdDescriptor(path, links) : readEntry(path, links)
}

/** A file that the caller has opened and will close. */
export function toHeldEntry(fd: number): HeldEntry {
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
    // The system refuses fchown for a descriptor of this kind. This path leads to the entry itself, even to a link.
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
