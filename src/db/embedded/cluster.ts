import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../errors.ts'
import { clusterPath, type ServerAccount } from './account.ts'
import type { Binaries } from './binaries.ts'
import { makeServerFolder } from './socket-folder.ts'

export const SUPERUSER = 'hansard'

/** Makes the database cluster unless it is there. A half-made one is never left under its name. */
export function ensureCluster(
  folder: string,
  binaries: Binaries,
  account: ServerAccount | null,
  password: string,
): { isNew: boolean } {
  if (existsSync(join(folder, 'PG_VERSION'))) return { isNew: false }
  const fresh = `${folder}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { mode: 0o700 })
  giveTo(account, fresh)

  const passwordFolder = makeServerFolder(account)
  try {
    const passwordFile = join(passwordFolder, 'password')
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
    giveTo(account, passwordFile)
    runInitdb(fresh, binaries, account, passwordFile)
  } finally {
    rmSync(passwordFolder, { recursive: true, force: true })
  }
  renameSync(fresh, folder)
  return { isNew: true }
}

function runInitdb(
  folder: string,
  binaries: Binaries,
  account: ServerAccount | null,
  passwordFile: string,
): void {
  const result = spawnSync(
    join(binaries.bin, 'initdb'),
    [
      '-D',
      clusterPath(folder, account),
      '-U',
      SUPERUSER,
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
    ].concat(['--locale=C', '-E', 'UTF8', '--no-instructions']),
    { cwd: folder, encoding: 'utf8', env: { PATH: '/usr/bin:/bin' }, ...account },
  )
  if (result.status === 0) return
  rmSync(folder, { recursive: true, force: true })
  const said = (result.stderr || result.error?.message || '').trim().split('\n').slice(-3).join(' ')
  throw new OperatorError(
    `The database could not be set up in the data folder: ${said}`,
    /no space/i.test(said) ? 'Free some disk space, then start again' : undefined,
    result.error,
  )
}

function giveTo(account: ServerAccount | null, path: string): void {
  if (account !== null) chownSync(path, account.uid, account.gid)
}
