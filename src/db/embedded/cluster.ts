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
import { freeDiskMb } from '../../lib/files/free-disk.ts'
import { clusterPath, type OsAccount } from './os-account.ts'
import type { PostgresBinaries } from './binaries.ts'
import { isProcessAlive } from './postmaster.ts'

export const SUPERUSER = 'hansard'

const INITDB_OPTIONS = [
  `--username=${SUPERUSER}`,
  '--auth=scram-sha-256',
  '--pwfile=/dev/stdin',
  '--locale=C',
  '--encoding=UTF8',
  '--no-instructions',
]

/** The majors of PostgreSQL whose clusters lie in a data folder, newest first. */
export function clusterMajors(data: string): number[] {
  if (!existsSync(data)) return []
  return readdirSync(data)
    .filter((name) => /^pg\d+$/.test(name) && existsSync(join(data, name, 'PG_VERSION')))
    .map((name) => Number(name.slice(2)))
    .toSorted((a, b) => b - a)
}

/** A new cluster beside one of another major would look as if everything were gone. */
export function refuseOtherMajor(data: string, { major }: PostgresBinaries): void {
  const majors = clusterMajors(data)
  const [newest] = majors
  if (newest === undefined || majors.includes(major)) return
  throw new OperatorError(
    `The database in the data folder belongs to PostgreSQL ${newest}, and this is PostgreSQL ${major}`,
    `Set HANSARD_POSTGRES_BIN to the programs of PostgreSQL ${newest}; to move, make a backup with them and ` +
      `restore it with PostgreSQL ${major} into another data folder: docs/operate.md#another-postgresql`,
  )
}

/** Makes the database cluster unless it is there. A half-made one is never left under its name. */
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
    // Another process was quicker: its cluster is as good.
    if (existsSync(join(folder, 'PG_VERSION'))) return
    throw error
  }
}

/** What a process left that ended in the middle of its first start. */
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
      ['-D', clusterPath(folder, account), ...INITDB_OPTIONS],
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
  const said = (result.stderr || result.error?.message || '').trim().split('\n').slice(-3).join(' ')
  throw new OperatorError(
    `The database could not be set up in the data folder: ${said}`,
    diskSpaceFix(said, freeDiskMb(dirname(folder))),
    result.error,
  )
}

/** A cluster without anything in it takes 60 MB. */
const NEEDED_MB = 100

/** A disk that is full ends some programs without a word about it, so what is free counts as well. */
export function diskSpaceFix(said: string, freeMb: number): string | undefined {
  if (freeMb >= NEEDED_MB && !/no space/i.test(said)) return undefined
  return `Free some disk space (${freeMb} MB are free, ${NEEDED_MB} are needed), then start again`
}

/** The server's account cannot follow a path into our folder, but it can read a file that is handed to it open. */
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
