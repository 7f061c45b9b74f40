import { statSync } from 'node:fs'

/** The operating-system account that PostgreSQL runs as under root, because it refuses to run as root. */
export type OsAccount = { uid: number; gid: number }

/** The account `nobody`, which has this number on every Linux. */
const NOBODY: OsAccount = { uid: 65534, gid: 65534 }

/** Under root, the account that owns the cluster, or `nobody`. Null when Hansard does not run as root; PostgreSQL then uses the same account. */
export function chooseServerAccount(cluster?: string): OsAccount | null {
  if (process.getuid?.() !== 0) return null
  const found = cluster === undefined ? undefined : statSync(cluster, { throwIfNoEntry: false })
  return found === undefined || found.uid === 0 ? NOBODY : { uid: found.uid, gid: found.gid }
}

/** The working folder of the current process, as a path that needs no access to its parent folders. */
export const WORKING_FOLDER = '/proc/self/cwd'

/**
 * The path of the cluster for a process whose working folder is the cluster. Under root the server's account cannot
 * enter the parent folders, so the path must not name them.
 */
export function clusterPath(folder: string, account: OsAccount | null): string {
  return account === null ? folder : WORKING_FOLDER
}
