import { spawnSync } from 'node:child_process'
import { chownSync, closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../errors.ts'
import { giveTreeToOwner } from '../../lib/files/file-owner.ts'
import { readFreeDiskMb } from '../../lib/files/free-disk.ts'
import type { PostgresBinaries } from './binaries.ts'
import { clusterPathSeenByServer } from './cluster-paths.ts'
import { listInitdbAttempts, type InitdbAttempt } from './initdb-attempts.ts'
import type { OsAccount } from './os-account.ts'

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
  /** The account that the cluster is for; null for the account of this process. */
  account: OsAccount | null
  password: string
}

/** Creates a cluster in an empty folder. */
export function runInitdb(cluster: NewCluster): void {
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

type InitdbResult = { isDone: boolean; output: string; error: Error | undefined }

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

/** An empty cluster takes about 60 MB. */
const NEEDED_MB = 100

/**
 * Advice for the operator when PostgreSQL failed on a full disk. Not every error output says so, so the free space
 * counts too.
 */
export function describeFixIfDiskFull(output: string, freeMb: number): string | undefined {
  if (freeMb >= NEEDED_MB && !isDiskFull(output)) return undefined
  return `Free some disk space (${freeMb} MB are free, ${NEEDED_MB} MB are needed), then start Hansard again`
}

function isDiskFull(output: string): boolean {
  return /no space/i.test(output)
}

/** Passes the password to initdb as an open file: its account may not enter the data folder, but can read an inherited descriptor. */
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
