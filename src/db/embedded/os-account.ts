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
