import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { OperatorError } from '../../errors.ts'
import type { UnitScope } from './unit-text.ts'

/** systemd creates this folder early in the boot of a machine that it manages. */
const RUNNING_SYSTEMD = '/run/systemd/system'

export function isSystemdRunning(): boolean {
  return existsSync(RUNNING_SYSTEMD)
}

/** The command for people, and for `runSystemctl`. */
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

/** The ids of an account of this machine; null when there is no such account. */
export function findAccount(name: string): { uid: number; gid: number } | null {
  const read = (option: string) => {
    const { status, stdout } = spawnSync('id', [option, '--', name], { encoding: 'utf8' })
    return status === 0 ? Number(stdout) : null
  }
  const [uid, gid] = [read('-u'), read('-g')]
  return uid === null || gid === null ? null : { uid, gid }
}
