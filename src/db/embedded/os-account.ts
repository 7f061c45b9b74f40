import { statSync } from 'node:fs'

/** PostgreSQL refuses to run as root, so under root it runs as another one. */
export type OsAccount = { uid: number; gid: number }

/** `nobody` on every Linux. */
const NOBODY: OsAccount = { uid: 65534, gid: 65534 }

/** The account the server needs when ours is root: the one that has the cluster, or `nobody`. Null: ours will do. */
export function chooseServerAccount(cluster?: string): OsAccount | null {
  if (process.getuid?.() !== 0) return null
  const found = cluster === undefined ? undefined : statSync(cluster, { throwIfNoEntry: false })
  return found === undefined || found.uid === 0 ? NOBODY : { uid: found.uid, gid: found.gid }
}

/** The folder in which a process stands, without the way to it. */
export const WORKING_FOLDER = '/proc/self/cwd'

/**
 * What to call the cluster folder from a process that already stands in it. Under root the parent
 * folders stay closed to the server's account; this path leads through none of them.
 */
export function clusterPath(folder: string, account: OsAccount | null): string {
  return account === null ? folder : WORKING_FOLDER
}
