import { spawnSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync, writeFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { errorCode, errorMessageOf } from '../../lib/error-code.ts'
import { createFoldersSync } from '../../lib/files/folders.ts'
import { UNIT_MARKER, type UnitScope } from './unit-text.ts'

type UserFolders = { env: Readonly<Record<string, string | undefined>>; home: string }

/** systemd creates this folder early in the boot of a machine that it manages. */
const RUNNING_SYSTEMD = '/run/systemd/system'

/** The folder where systemd looks for units that an administrator or a user has written. */
export function findUnitFolder(scope: UnitScope, { env, home }: UserFolders): string {
  if (scope === 'system') return '/etc/systemd/system'
  const config = env['XDG_CONFIG_HOME']
  return join(config?.startsWith('/') ? config : join(home, '.config'), 'systemd/user')
}

/** Writes the unit. A unit that Hansard did not write is kept unless `isForced`. */
export function writeUnitFile(path: string, text: string, isForced: boolean): void {
  const existing = readUnit(path)
  if (existing !== null && !isForced) refuseForeignUnit(path, existing, 'replace')
  const fresh = `${path}.${process.pid}.new`
  try {
    createFoldersSync(join(path, '..'), 0o755)
    writeFileSync(fresh, text, { mode: 0o644, flush: true })
    renameSync(fresh, path)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw unwritableError(path, error)
  }
}

export function removeUnitFile(path: string): void {
  try {
    rmSync(path)
  } catch (error) {
    throw unwritableError(path, error)
  }
}

/** Throws unless the unit exists and may be removed. */
export function requireRemovableUnit(path: string, isForced: boolean): void {
  const existing = readUnit(path)
  if (existing === null)
    throw new OperatorError(
      `There is no unit ${path}`,
      'Name it with --name, and say --user or --system',
    )
  if (!isForced) refuseForeignUnit(path, existing, 'remove')
}

function refuseForeignUnit(path: string, content: string, verb: string): void {
  if (content.split('\n', 1)[0] === UNIT_MARKER) return
  throw new OperatorError(
    `${path} was not written by hansard service install, or was changed by hand`,
    `Choose another name with --name, or ${verb} it with --force`,
  )
}

function readUnit(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw unwritableError(path, error)
  }
}

function unwritableError(path: string, error: unknown): OperatorError {
  return new OperatorError(
    `${path} cannot be changed: ${errorMessageOf(error)}`,
    'Run it as root for --system, or use --user; --print only prints the unit',
    error,
  )
}

export function isSystemdRunning(): boolean {
  return existsSync(RUNNING_SYSTEMD)
}

/** The command for people and for `runSystemctl`. */
export function systemctlArguments(scope: UnitScope, ...args: string[]): string[] {
  return [...(scope === 'user' ? ['--user'] : []), ...args]
}

export function runSystemctl(scope: UnitScope, ...args: string[]): void {
  const all = systemctlArguments(scope, ...args)
  const { status, error, stderr } = spawnSync('systemctl', all, { encoding: 'utf8' })
  if (status === 0) return
  throw new OperatorError(
    `systemctl ${all.join(' ')} failed: ${(error?.message ?? stderr).trim()}`,
    'Run it by hand to see why',
    error,
  )
}

/** The ids of an account of this machine. Null if there is no such account. */
export function findAccount(name: string): { uid: number; gid: number } | null {
  const read = (option: string) => {
    const { status, stdout } = spawnSync('id', [option, '--', name], { encoding: 'utf8' })
    return status === 0 ? Number(stdout) : null
  }
  const [uid, gid] = [read('-u'), read('-g')]
  return uid === null || gid === null ? null : { uid, gid }
}
