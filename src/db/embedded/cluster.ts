import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PermanentError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { OsAccount } from './os-account.ts'
import type { PostgresBinaries } from './binaries.ts'
import { isProcessAlive } from './postmaster.ts'
import { runInitdb } from './initdb.ts'

/** Major versions of the PostgreSQL clusters in a data folder, newest first. */
export function listClusterMajorVersions(dataFolder: string): number[] {
  if (!existsSync(dataFolder)) return []
  return readdirSync(dataFolder)
    .filter((name) => /^pg\d+$/.test(name) && existsSync(join(dataFolder, name, 'PG_VERSION')))
    .map((name) => Number(name.slice(2)))
    .toSorted((a, b) => b - a)
}

/** Throws when the data folder has a cluster of another major version: an empty new cluster would look like data loss. */
export function refuseClusterOfOtherMajor(dataFolder: string, { major }: PostgresBinaries): void {
  const majors = listClusterMajorVersions(dataFolder)
  const [newest] = majors
  if (newest === undefined || majors.includes(major)) return
  throw new PermanentError(
    `The database in the data folder was created by PostgreSQL ${newest}, but this is PostgreSQL ${major}`,
    `Set HANSARD_POSTGRES_BIN to the programs of PostgreSQL ${newest}. To upgrade, make a backup with them and ` +
      `restore it with PostgreSQL ${major} into another data folder: docs/operate.md#another-postgresql`,
  )
}

/** Creates the database cluster unless it exists. It is created under a temporary name, so a failed attempt leaves no broken cluster. */
export function createClusterIfMissing(
  folder: string,
  binaries: PostgresBinaries,
  account: OsAccount | null,
  password: string,
  log: Log,
): void {
  if (existsSync(join(folder, 'PG_VERSION'))) return
  log.info('creating the database')
  removeAbandonedClusters(folder)
  const fresh = `${folder}.new.${process.pid}`
  mkdirSync(fresh, { mode: 0o700 })
  try {
    runInitdb({ folder: fresh, binaries, account, password })
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    // Another process created the cluster first; use that one.
    if (existsSync(join(folder, 'PG_VERSION'))) return
    throw error
  }
}

/** Removes temporary files of processes that ended while they created a cluster. */
function removeAbandonedClusters(folder: string): void {
  for (const name of readdirSync(dirname(folder))) {
    const [, pid] = /^pg\d+\.new\.(\d+)(?:\.\w+)?$/.exec(name) ?? []
    if (pid !== undefined && !isProcessAlive(Number(pid))) {
      rmSync(join(dirname(folder), name), { recursive: true, force: true })
    }
  }
}
