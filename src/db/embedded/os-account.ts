import { statSync } from 'node:fs'
import { findNonRootOwner, giveTreeToOwner, isRunByRoot } from '../../lib/files/file-owner.ts'
import { isProcessAlive, readPostmasterPidFileIfExists } from './postmaster.ts'

/** The operating-system account that PostgreSQL runs as under root, because it refuses to run as root. */
export type OsAccount = { uid: number; gid: number }

/** The account `nobody`, which has this number on every Linux. */
export const NOBODY: OsAccount = { uid: 65534, gid: 65534 }
/** Owners of what root's commands create when nothing says whose it is. */
const OWNERS_UNDER_ROOT = [0, NOBODY.uid]

/**
 * Under root, the account of the database server: the owner of the cluster, or the owner of the data folder, or
 * `nobody` when root owns both. Null when Hansard does not run as root; PostgreSQL then uses the same account.
 */
export function chooseServerAccount(dataFolder: string, clusterFolder?: string): OsAccount | null {
  if (!isRunByRoot()) return null
  const clusterOwner = clusterFolder === undefined ? null : findNonRootOwner(clusterFolder)
  return clusterOwner ?? findNonRootOwner(dataFolder) ?? NOBODY
}

/**
 * Under root, gives a cluster that root has created in another account's data folder to that account. A cluster in use
 * keeps its owner.
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
