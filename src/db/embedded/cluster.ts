import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  chownSync,
  closeSync,
  openSync,
  writeFileSync,
  globSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { PermanentError, OperatorError } from '../../lib/operator-error.ts'
import { giveTreeToOwner } from '../../lib/files/file-owner.ts'
import { readFreeDiskMb } from '../../lib/files/folders.ts'
import type { Log } from '../../log.ts'
import type { PostgresBinaries } from './binaries.ts'
import { type OsAccount, clusterPathSeenByServer, NOBODY } from './os-account.ts'
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

type NewCluster = {
  folder: string
  binaries: PostgresBinaries
  /** The account that the cluster is for. Null for the account of this process. */
  account: OsAccount | null
  password: string
}

type InitdbAttempt = {
  /** The account that runs initdb under root. Null for the account of this process. */
  account: OsAccount | null
  /** A program and its arguments that run initdb. */
  prefix: readonly string[]
  env: Readonly<Record<string, string>>
  /** Files that exist only during the attempt, by path. */
  files: Readonly<Record<string, string>>
}

const PLAIN: InitdbAttempt = { account: null, prefix: [], env: {}, files: {} }

const NSS_WRAPPER_FILES = '/{usr/lib,usr/lib64,usr/local/lib,lib,lib64}/{,*/}libnss_wrapper.so'

const UNSHARE = '/usr/bin/unshare'

type InitdbResult = { isDone: boolean; output: string; error: Error | undefined }

/** An empty cluster takes about 60 MB. */
const NEEDED_MB = 100

/** Major versions of the PostgreSQL clusters in a data folder, newest first. */
export function listClusterMajorVersions(dataFolder: string): number[] {
  if (!existsSync(dataFolder)) return []
  return readdirSync(dataFolder)
    .filter((name) => /^pg\d+$/.test(name) && existsSync(join(dataFolder, name, 'PG_VERSION')))
    .map((name) => Number(name.slice(2)))
    .toSorted((a, b) => b - a)
}

/** Throws if the data folder has a cluster of another major version. An empty new cluster would look like data loss. */
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

/** Creates the cluster if it is missing, under a temporary name, so that a failed attempt leaves no broken cluster. */
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
    // Another process created the cluster first, so that one is used.
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

/** Creates a cluster in an empty folder. */
function runInitdb(cluster: NewCluster): void {
  const { folder, account } = cluster
  const failed: InitdbResult[] = []
  for (const attempt of listInitdbAttempts(folder, account)) {
    const result = runAttempt(cluster, attempt)
    if (result.isDone) return
    failed.push(result)
    // The other attempts only help an account without a name.
    if (!isUnknownAccount(failed[0]?.output ?? '')) break
  }
  throw toOperatorError(cluster, failed.find(({ output }) => isDiskFull(output)) ?? failed[0])
}

function runAttempt(cluster: NewCluster, attempt: InitdbAttempt): InitdbResult {
  const { folder, binaries, account, password } = cluster
  for (const [path, content] of Object.entries(attempt.files)) writeFileSync(path, content)
  try {
    if (attempt.account !== null) chownSync(folder, attempt.account.uid, attempt.account.gid)
    const [program = '', ...args] = [
      ...attempt.prefix,
      join(binaries.binFolder, 'initdb'),
      '-D',
      clusterPathSeenByServer(folder, attempt.account),
      ...INITDB_OPTIONS,
    ]
    const result = withPasswordFile(`${folder}.password`, password, attempt.account, (stdin) =>
      spawnSync(program, args, {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: '/usr/bin:/bin', ...attempt.env },
        stdio: [stdin, 'pipe', 'pipe'],
        ...attempt.account,
      }),
    )
    if (attempt.account !== null && account !== null && attempt.account.uid !== account.uid)
      giveTreeToOwner(folder, account, [attempt.account.uid])
    return { isDone: result.status === 0, output: result.stderr ?? '', error: result.error }
  } finally {
    for (const path of Object.keys(attempt.files)) rmSync(path, { force: true })
  }
}

function isUnknownAccount(output: string): boolean {
  return /could not look up effective user ID/.test(output)
}

function toOperatorError({ folder, account }: NewCluster, result?: InitdbResult): OperatorError {
  const output = (result?.output || result?.error?.message || '')
    .trim()
    .split('\n')
    .slice(-3)
    .join(' ')
  return new OperatorError(
    `Hansard could not create the database in the data folder: ${output}`,
    isUnknownAccount(output)
      ? describeFixForUnknownAccount(account ?? currentAccount())
      : describeFixIfDiskFull(output, readFreeDiskMb(dirname(folder))),
    result?.error,
  )
}

function currentAccount(): OsAccount {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
}

/** PostgreSQL creates a database only under an account with a name. */
function describeFixForUnknownAccount({ uid, gid }: OsAccount): string {
  return (
    `User id ${uid} needs a name. Add one to /etc/passwd (hansard:x:${uid}:${gid}::/:/usr/sbin/nologin), ` +
    'or install libnss-wrapper, or set DATABASE_URL to use another PostgreSQL'
  )
}

/** Advice if PostgreSQL failed because of a full disk. Not every error output says so, so free space is checked too. */
export function describeFixIfDiskFull(output: string, freeMb: number): string | undefined {
  if (freeMb >= NEEDED_MB && !isDiskFull(output)) return undefined
  return `Free some disk space (${freeMb} MB are free, ${NEEDED_MB} MB are needed), then start Hansard again`
}

function isDiskFull(output: string): boolean {
  return /no space/i.test(output)
}

/** Passes the password to initdb as an open file. Its account can read that, but can't enter the data folder. */
function withPasswordFile<T>(
  path: string,
  password: string,
  account: OsAccount | null,
  work: (descriptor: number) => T,
): T {
  writeFileSync(path, `${password}\n`, { mode: 0o600 })
  if (account !== null) chownSync(path, account.uid, account.gid)
  const descriptor = openSync(path, 'r')
  try {
    return work(descriptor)
  } finally {
    closeSync(descriptor)
    rmSync(path, { force: true })
  }
}

/**
 * Ways to run initdb, in order of preference. initdb refuses an account without a name, such as a user id that was only
 * chosen for a container. The other ways give the account a name.
 */
function listInitdbAttempts(clusterFolder: string, account: OsAccount | null): InitdbAttempt[] {
  if (account !== null) {
    return account.uid === NOBODY.uid
      ? [{ ...PLAIN, account }]
      : [
          { ...PLAIN, account },
          { ...PLAIN, account: NOBODY },
        ]
  }
  return [PLAIN, ...withNssWrapper(clusterFolder), ...inUserNamespace()]
}

/** The nss_wrapper library, which reads account names from its own files. Null if it is not installed. */
export function findNssWrapper(): string | null {
  return globSync(NSS_WRAPPER_FILES)[0] ?? null
}

function withNssWrapper(folder: string): InitdbAttempt[] {
  const library = findNssWrapper()
  if (library === null) return []
  const passwd = `${folder}.passwd`
  const group = `${folder}.group`
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  return [
    {
      ...PLAIN,
      env: { LD_PRELOAD: library, NSS_WRAPPER_PASSWD: passwd, NSS_WRAPPER_GROUP: group },
      files: {
        [passwd]: `hansard:x:${uid}:${gid}::/:/usr/sbin/nologin\n`,
        [group]: `hansard:x:${gid}:\n`,
      },
    },
  ]
}

/** In a user namespace this account has the number of `nobody`, but files keep their owner. Needs kernel permission. */
function inUserNamespace(): InitdbAttempt[] {
  if (!existsSync(UNSHARE)) return []
  const prefix = [UNSHARE, '--user', `--map-user=${NOBODY.uid}`, `--map-group=${NOBODY.gid}`]
  return [{ ...PLAIN, prefix }]
}
