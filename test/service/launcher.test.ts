import { strict as assert } from 'node:assert'
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { CURRENT_NODE, findOlderNode } from '../support/service/service-process.ts'
import {
  createTemporaryInstallation,
  lockfile,
  startLauncher,
  type LockEntry,
} from '../support/service/temporary-installation.ts'

type Launch = {
  isInstalled(root: string, needs: { needsDev: boolean }): boolean
  isRecentEnough(version: string): boolean
  packagedNode(root: string, platform?: string, arch?: string): string
}

const folder = pathToFileURL(join(INSTALLATION_FOLDER, 'bin/launch/')).href
const { isInstalled, isRecentEnough, packagedNode } = {
  ...((await import(`${folder}packages.mjs`)) as Pick<Launch, 'isInstalled'>),
  ...((await import(`${folder}node.mjs`)) as Pick<Launch, 'isRecentEnough' | 'packagedNode'>),
}

const WANTED: Record<string, LockEntry> = {
  '': {},
  'node_modules/a': { version: '1.0.0' },
  'node_modules/a/node_modules/b': { version: '2.0.0' },
  'node_modules/for-macs': { version: '3.0.0', optional: true },
  'node_modules/for-developers': { version: '4.0.0', devOptional: true },
  'node_modules/for-tests': { version: '5.0.0', dev: true },
}
const { '': _root, ...PRESENT } = WANTED
const { 'node_modules/a/node_modules/b': _b, ...WITHOUT_B } = PRESENT
const { 'node_modules/for-macs': _m, 'node_modules/for-developers': _d, ...NEEDED } = PRESENT
const { 'node_modules/for-tests': _t, ...WITHOUT_DEV } = PRESENT

/** `installed` is the result for the repository's tests, `installedToRun` the result for Hansard's commands. */
type Row = { record: string | null; installed: boolean; installedToRun?: boolean }

const RECORDS: Record<string, Row> = {
  'every package': { record: lockfile(PRESENT), installed: true },
  'no package for development': {
    record: lockfile(WITHOUT_DEV),
    installed: false,
    installedToRun: true,
  },
  'another version of a package for development': {
    record: lockfile({ ...PRESENT, 'node_modules/for-tests': { version: '5.0.1', dev: true } }),
    installed: false,
    installedToRun: true,
  },
  'no package for other machines': { record: lockfile(NEEDED), installed: true },
  'a package more': {
    record: lockfile({ ...PRESENT, 'node_modules/z': { version: '1.0.0' } }),
    installed: true,
  },
  'one package less': { record: lockfile(WITHOUT_B), installed: false },
  'another version': {
    record: lockfile({ ...PRESENT, 'node_modules/a': { version: '1.0.1' } }),
    installed: false,
  },
  'another version of an optional package': {
    record: lockfile({ ...PRESENT, 'node_modules/for-macs': { version: '3.0.1' } }),
    installed: false,
  },
  'truncated JSON': { record: lockfile(PRESENT).slice(0, 90), installed: false },
  'empty content': { record: '', installed: false },
  'no list of packages': { record: '{}', installed: false },
  'no record': { record: null, installed: false },
}

test('packages count as installed only when npm’s record contains all packages of the lockfile', () => {
  using root = createTemporaryInstallation(lockfile(WANTED))
  for (const [what, row] of Object.entries(RECORDS)) {
    const { record, installed, installedToRun = installed } = row
    const path = join(root.path, 'node_modules/.package-lock.json')
    rmSync(path, { force: true })
    if (record !== null) writeFileSync(path, record)
    assert.equal(isInstalled(root.path, { needsDev: true }), installed, `a record with ${what}`)
    assert.equal(isInstalled(root.path, { needsDev: false }), installedToRun, what)
  }
})

test('the packages of this repository count as installed', () => {
  assert.equal(isInstalled(INSTALLATION_FOLDER, { needsDev: true }), true)
})

test('a missing or broken lockfile is reported', () => {
  for (const broken of [null, '', '{"packages":']) {
    using root = createTemporaryInstallation(broken)
    assert.throws(
      () => isInstalled(root.path, { needsDev: true }),
      /package-lock\.json is missing or broken/,
    )
  }
})

test('Node is recent enough from 24.7.0 on', () => {
  const table = {
    '24.7.0': true,
    '24.7.1': true,
    '24.10.0': true,
    '25.0.0': true,
    '100.0.0': true,
    '24.6.99': false,
    '24.0.0': false,
    '23.11.0': false,
    '20.20.2': false,
    '9.99.99': false,
  }
  for (const [version, expected] of Object.entries(table))
    assert.equal(isRecentEnough(version), expected, version)
})

test('an older Node uses the packaged Node or reports what to install', () => {
  using root = createTemporaryInstallation(lockfile({}))
  assert.throws(
    () => packagedNode(root.path),
    /Node 24\.7\.0 or newer is needed, and this is [\d.]+\. The package node-\S+ is not installed/,
  )
  for (const machine of [['darwin'], ['linux', 'riscv64']] as const) {
    assert.throws(() => packagedNode(root.path, ...machine), {
      fix: /^Install a newer Node\. Only Linux on x64 and arm64/,
    })
  }
  const path = addPackagedNode(root.path)
  assert.equal(packagedNode(root.path), path)
})

for (const [name, node] of Object.entries({
  'this Node': CURRENT_NODE,
  'an older Node': findOlderNode(),
})) {
  test(`a script launched on ${name} gets its arguments, and its exit code or signal is passed on`, async () => {
    using root = createTemporaryInstallation(lockfile({}))
    writeFileSync(join(root.path, 'node_modules/.package-lock.json'), lockfile({}))
    addPackagedNode(root.path)
    const script = `
      const [how, ...rest] = process.argv.slice(2)
      console.log(JSON.stringify({ rest, node: process.execPath, lifeline: process.env.LIFELINE_FD ?? null }))
      if (how === 'signal') process.kill(process.pid, 'SIGKILL')
      else process.exitCode = 7`
    writeFileSync(join(root.path, 'script.mjs'), script)
    const run = (args: string[]) =>
      startLauncher(root.path, ['script.mjs', ...args], { node, bin: 'with-node.mjs' }).waitForEnd()
    const words = ['two words', '"quoted"', '$HOME', 'é']

    const ended = await run(['code', ...words])
    assert.equal(ended.code, 7, ended.stderr)
    assert.deepEqual(JSON.parse(ended.stdout).rest, words)
    assert.equal(JSON.parse(ended.stdout).lifeline, null)
    const killed = await run(['signal'])
    assert.equal(killed.signal, 'SIGKILL')
  })
}

test('the script that ends a program with its launcher can be loaded by npm on an older Node', () => {
  const [command, ...args] = findOlderNode()
  const script = new URL('lifeline.mjs', folder).href
  const program = [...args, '--import', script, '--eval', 'console.log("loaded")']
  assert.equal(execFileSync(command, program, { encoding: 'utf8' }), 'loaded\n')
})

function addPackagedNode(root: string): string {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const binary = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  const path = join(root, 'node_modules', `node-${system}-${process.arch}`, binary)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(process.execPath, path)
  return path
}
