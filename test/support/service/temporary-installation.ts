import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { INSTALLATION_FOLDER } from '../../../src/config/load-config.ts'
import { requireEnv } from '../database/test-database.ts'
import { startProgram, type Command, type Environment, type StartedProgram } from './run-program.ts'
import { CURRENT_NODE } from './service-process.ts'

export type LockEntry = {
  version?: string
  resolved?: string
  optional?: boolean
  devOptional?: boolean
  dev?: boolean
  dependencies?: Record<string, string>
}

export function lockfile(packages: Record<string, LockEntry>): string {
  return JSON.stringify({ name: 'temporary', lockfileVersion: 3, packages })
}

/** A temporary installation with the real launcher, the given lockfile and an empty node_modules. */
export function createTemporaryInstallation(lock: string | null): Disposable & { path: string } {
  const path = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'root-'))
  cpSync(join(INSTALLATION_FOLDER, 'bin'), join(path, 'bin'), { recursive: true })
  mkdirSync(join(path, 'node_modules'))
  if (lock !== null) writeFileSync(join(path, 'package-lock.json'), lock)
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Puts a shell script named npm first on the PATH of the returned environment. */
export function addFakeNpm(root: string, script: string): { PATH: string } {
  const tools = join(root, 'tools')
  mkdirSync(tools, { recursive: true })
  const npm = join(tools, 'npm')
  writeFileSync(npm, `#!/bin/sh\n${script}\n`)
  chmodSync(npm, 0o755)
  return { PATH: `${tools}:/usr/bin:/bin` }
}

/** Starts a program of `bin/` of a temporary installation. */
export function startLauncher(
  root: string,
  args: readonly string[],
  {
    node = CURRENT_NODE,
    bin = 'hansard.mjs',
    env = {},
  }: { node?: Command; bin?: string; env?: Environment } = {},
): StartedProgram {
  const PATH = process.env['PATH'] ?? ''
  return startProgram([...node, join(root, 'bin', bin), ...args], { env: { PATH, ...env } })
}
