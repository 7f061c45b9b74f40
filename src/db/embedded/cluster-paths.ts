import { openSync } from 'node:fs'
import { PermanentError } from '../../errors.ts'
import type { OsAccount } from './os-account.ts'

/** The working folder of the current process, as a path that needs no access to its parent folders. */
const WORKING_FOLDER = '/proc/self/cwd'

/**
 * The path of the cluster for a process whose working folder is the cluster. Under root the server's account cannot
 * enter the parent folders, so the path must not name them.
 */
export function clusterPathSeenByServer(
  clusterFolder: string,
  serverAccount: OsAccount | null,
): string {
  return serverAccount === null ? clusterFolder : WORKING_FOLDER
}

/** Longest folder path with which PostgreSQL's socket file still fits into a Unix socket address. */
const MAX_BYTES = 85

/** The folder in which the server creates its socket: the cluster, which is its working folder. */
export function socketFolderSeenByServer(clusterFolder: string): string {
  // The setting is a list, in which a path with a comma or a space needs quotes.
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
