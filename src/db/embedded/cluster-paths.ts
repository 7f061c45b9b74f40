import { openSync } from 'node:fs'
import { OperatorError } from '../../errors.ts'
import type { OsAccount } from './os-account.ts'

/** The working folder of the current process, as a path that needs no access to its parent folders. */
const WORKING_FOLDER = '/proc/self/cwd'

/**
 * The path of the cluster for a process whose working folder is the cluster. Under root the server's account cannot
 * enter the parent folders, so the path must not name them.
 */
export function toServerClusterPath(folder: string, account: OsAccount | null): string {
  return account === null ? folder : WORKING_FOLDER
}

/** Longest folder path with which PostgreSQL's socket file still fits into a Unix socket address. */
const MAX_BYTES = 85

/** The folder in which the server creates its socket: the cluster, which is its working folder. */
export function serverSocketFolder(cluster: string): string {
  // The setting is a list, in which a path with a comma or a space needs quotes.
  return process.platform === 'linux' ? WORKING_FOLDER : `"${cluster}"`
}

/** The socket folder as clients address it. A path that is too long is replaced by an open descriptor of the folder. */
export function clientSocketFolder(cluster: string): string {
  if (Buffer.byteLength(cluster) <= MAX_BYTES) return cluster
  if (process.platform === 'linux') return `/proc/self/fd/${openSync(cluster, 'r')}`
  throw new OperatorError(
    `The path of the data folder is too long for a database socket: ${cluster}`,
    'Set HANSARD_DATA to a shorter path',
  )
}
