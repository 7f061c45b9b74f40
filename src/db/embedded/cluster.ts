import { spawnSync } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../errors.ts'
import { readFreeDiskMb } from '../../lib/files/free-disk.ts'
import { toServerClusterPath } from './cluster-paths.ts'
import type { OsAccount } from './os-account.ts'
import type { PostgresBinaries } from './binaries.ts'
import { isProcessAlive } from './postmaster.ts'

export const POSTGRES_SUPERUSER = 'hansard'

const INITDB_OPTIONS = [
  `--username=${POSTGRES_SUPERUSER}`,
  '--auth=scram-sha-256',
  '--pwfile=/dev/stdin',
  '--locale=C',
  '--encoding=UTF8',
  '--no-instructions',
]

/** Major versions of the PostgreSQL clusters in a data folder, newest first. */
export function listClusterMajorVersions(data: string): number[] {
  if (!existsSync(data)) return []
  return readdirSync(data)
    .filter((name) => /^pg\d+$/.test(name) && existsSync(join(data, name, 'PG_VERSION')))
    .map((name) => Number(name.slice(2)))
    .toSorted((a, b) => b - a)
}

/** Throws when the data folder has a cluster of another major version: an empty new cluster would look like data loss. */
export function refuseClusterOfOtherMajor(data: string, { major }: PostgresBinaries): void {
  const majors = listClusterMajorVersions(data)
  const [newest] = majors
  if (newest === undefined || majors.includes(major)) return
  throw new OperatorError(
    `The database in the data folder was created by PostgreSQL ${newest}, but this is PostgreSQL ${major}`,
    `Set HANSARD_POSTGRES_BIN to the programs of PostgreSQL ${newest}. To upgrade, make a backup with them and ` +
      `restore it with PostgreSQL ${major} into another data folder: docs/operate.md#another-postgresql`,
  )
}

/** Creates the database cluster unless it exists. It is created under a temporary name, so a failed attempt leaves no broken cluster. */
export function ensureCluster(
  folder: string,
  binaries: PostgresBinaries,
  account: OsAccount | null,
  password: string,
): void {
  if (existsSync(join(folder, 'PG_VERSION'))) return
  removeAbandonedClusters(folder)
  const fresh = `${folder}.new.${process.pid}`
  mkdirSync(fresh, { mode: 0o700 })
  changeOwner(account, fresh)
  try {
    runInitdb(fresh, binaries, account, password)
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
    const [, pid] = /^pg\d+\.new\.(\d+)(?:\.password)?$/.exec(name) ?? []
    if (pid !== undefined && !isProcessAlive(Number(pid))) {
      rmSync(join(dirname(folder), name), { recursive: true, force: true })
    }
  }
}

function runInitdb(
  folder: string,
  binaries: PostgresBinaries,
  account: OsAccount | null,
  password: string,
): void {
  const result = withPasswordFile(`${folder}.password`, password, account, (stdin) =>
    spawnSync(
      join(binaries.bin, 'initdb'),
      ['-D', toServerClusterPath(folder, account), ...INITDB_OPTIONS],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: '/usr/bin:/bin' },
        stdio: [stdin, 'pipe', 'pipe'],
        ...account,
      },
    ),
  )
  if (result.status === 0) return
  const output = (result.stderr || result.error?.message || '')
    .trim()
    .split('\n')
    .slice(-3)
    .join(' ')
  throw new OperatorError(
    `Hansard could not create the database in the data folder: ${output}`,
    describeFixIfDiskFull(output, readFreeDiskMb(dirname(folder))),
    result.error,
  )
}

/** An empty cluster takes about 60 MB. */
const NEEDED_MB = 100

/**
 * Advice for the operator when PostgreSQL failed on a full disk. Not every error output says so, so the free space
 * counts too.
 */
export function describeFixIfDiskFull(output: string, freeMb: number): string | undefined {
  if (freeMb >= NEEDED_MB && !/no space/i.test(output)) return undefined
  return `Free some disk space (${freeMb} MB are free, ${NEEDED_MB} MB are needed), then start Hansard again`
}

/** Passes the password to initdb as an open file: its account may not enter the data folder, but can read an inherited descriptor. */
function withPasswordFile<T>(
  path: string,
  password: string,
  account: OsAccount | null,
  work: (descriptor: number) => T,
): T {
  writeFileSync(path, `${password}\n`, { mode: 0o600 })
  changeOwner(account, path)
  const descriptor = openSync(path, 'r')
  try {
    return work(descriptor)
  } finally {
    closeSync(descriptor)
    rmSync(path, { force: true })
  }
}

function changeOwner(account: OsAccount | null, path: string): void {
  if (account !== null) chownSync(path, account.uid, account.gid)
}
