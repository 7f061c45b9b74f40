import { openSync } from 'node:fs'
import { OperatorError } from '../../errors.ts'
import { WORKING_FOLDER } from './os-account.ts'

/** PostgreSQL's socket file in a folder longer than this does not fit the address of a Unix socket. */
const MAX_BYTES = 85

/** Where the server puts its socket: into the cluster folder, in which it stands. */
export function serverSocketFolder(cluster: string): string {
  // The value is a list, in which a path with a comma or a space needs quotes.
  return process.platform === 'linux' ? WORKING_FOLDER : `"${cluster}"`
}

/** How we reach it: a path too long for an address is shortened to an open descriptor of its folder. */
export function clientSocketFolder(cluster: string): string {
  if (Buffer.byteLength(cluster) <= MAX_BYTES) return cluster
  if (process.platform === 'linux') return `/proc/self/fd/${openSync(cluster, 'r')}`
  throw new OperatorError(
    `The path of the data folder is too long for a database socket: ${cluster}`,
    'Set HANSARD_DATA to a shorter one',
  )
}
