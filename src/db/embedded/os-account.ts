import { readFileSync, statSync, openSync } from 'node:fs'
import { PermanentError } from '../../lib/operator-error.ts'
import { findNonRootOwner, giveTreeToOwner, isRunByRoot } from '../../lib/files/file-owner.ts'
import { isProcessAlive, readPostmasterPidFileIfExists } from './postmaster.ts'

/** The operating-system account of PostgreSQL when Hansard runs as root. PostgreSQL refuses to run as root. */
export type OsAccount = { uid: number; gid: number }

/** The account `nobody`, which has this number on every Linux. */
export const NOBODY: OsAccount = { uid: 65534, gid: 65534 }
/** Owners of files that root's commands create when no other owner is given. */
const OWNERS_UNDER_ROOT = [0, NOBODY.uid]

/** The current process's working folder, as a path that needs no access to its parent folders. */
const WORKING_FOLDER = '/proc/self/cwd'

/** Longest folder path with which PostgreSQL's socket file still fits into a Unix socket address. */
const MAX_BYTES = 85

/**
 * The account of the database server under root: the owner of the cluster or of the data folder, or `nobody` if root
 * owns both. Null if Hansard does not run as root. PostgreSQL then uses the same account.
 */
export function chooseServerAccount(dataFolder: string, clusterFolder?: string): OsAccount | null {
  if (!isRunByRoot()) return null
  const clusterOwner = clusterFolder === undefined ? null : findNonRootOwner(clusterFolder)
  return clusterOwner ?? findNonRootOwner(dataFolder) ?? NOBODY
}

/** In some containers only root exists, so no program can run as another account. */
export function refuseMissingAccount(account: OsAccount | null, uidMap = readUidMap()): void {
  if (account === null || uidMap === null) return
  const ranges = uidMap
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  if (
    ranges.some(([first = 0, , count = 0]) => account.uid >= first && account.uid < first + count)
  )
    return
  throw new PermanentError(
    `PostgreSQL refuses to run as root, and the account ${account.uid} does not exist in this user namespace`,
    'Run Hansard under an account that is not root, give the container more user ids (/etc/subuid), or set DATABASE_URL',
  )
}

/** Lines with the first user id of a range, the same id outside the namespace, and the length. Linux only. */
function readUidMap(): string | null {
  return process.platform === 'linux' ? readFileSync('/proc/self/uid_map', 'utf8') : null
}

/**
 * Under root, changes the owner of a cluster that root created in another account's data folder to that account. A
 * cluster in use keeps its owner.
 */
export function giveRootOwnedClusterToDataOwner(clusterFolder: string, dataFolder: string): void {
  const owner = findNonRootOwner(dataFolder)
  const found = statSync(clusterFolder, { throwIfNoEntry: false })
  if (owner === null || found === undefined || found.uid === owner.uid) return
  if (!OWNERS_UNDER_ROOT.includes(found.uid)) return
  const server = readPostmasterPidFileIfExists(clusterFolder)
  if (server !== null && isProcessAlive(server.pid)) return
  giveTreeToOwner(clusterFolder, owner, OWNERS_UNDER_ROOT)
}

/**
 * The cluster's path for a process whose working folder is the cluster. Under root, the server's account can't enter
 * the parent folders, so the path must not name them.
 */
export function clusterPathSeenByServer(
  clusterFolder: string,
  serverAccount: OsAccount | null,
): string {
  return serverAccount === null ? clusterFolder : WORKING_FOLDER
}

/** The folder where the server creates its socket: the cluster, which is its working folder. */
export function socketFolderSeenByServer(clusterFolder: string): string {
  // The setting is a list, so a path with a comma or a space needs quotes.
  return process.platform === 'linux' ? WORKING_FOLDER : `"${clusterFolder}"`
}

/** The socket folder as clients address it. A path that is too long is replaced by an open descriptor of the folder. */
export function socketFolderSeenByClients(clusterFolder: string): string {
  if (Buffer.byteLength(clusterFolder) <= MAX_BYTES) return clusterFolder
  if (process.platform === 'linux') return `/proc/self/fd/${openSync(clusterFolder, 'r')}`
  throw new PermanentError(
    `The path of the data folder is too long for a database socket: ${clusterFolder}`,
    'Set HANSARD_DATA to a shorter path',
  )
}
