import { strict as assert } from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { requireEnv } from '../support/database/test-database.ts'
import { CURRENT_NODE, findOlderNode, type Command } from '../support/service/service-process.ts'

type Launch = {
  isInstalled(root: string): boolean
  isRecentEnough(version: string): boolean
  packagedNode(root: string): string
}
type Entry = { version?: string; optional?: boolean; devOptional?: boolean }

const folder = pathToFileURL(join(INSTALLATION_FOLDER, 'bin/launch/')).href
const { isInstalled, isRecentEnough, packagedNode } = {
  ...((await import(`${folder}install.mjs`)) as Pick<Launch, 'isInstalled'>),
  ...((await import(`${folder}node.mjs`)) as Pick<Launch, 'isRecentEnough' | 'packagedNode'>),
}

const WANTED: Record<string, Entry> = {
  '': {},
  'node_modules/a': { version: '1.0.0' },
  'node_modules/a/node_modules/b': { version: '2.0.0' },
  'node_modules/for-macs': { version: '3.0.0', optional: true },
  'node_modules/for-developers': { version: '4.0.0', devOptional: true },
}
const { '': _root, ...PRESENT } = WANTED
const { 'node_modules/a/node_modules/b': _b, ...WITHOUT_B } = PRESENT
const { 'node_modules/for-macs': _m, 'node_modules/for-developers': _d, ...NEEDED } = PRESENT

const RECORDS: Record<string, { record: string | null; installed: boolean }> = {
  'every package': { record: lockfile(PRESENT), installed: true },
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
  using root = makeRoot(lockfile(WANTED))
  for (const [what, { record, installed }] of Object.entries(RECORDS)) {
    const path = join(root.path, 'node_modules/.package-lock.json')
    rmSync(path, { force: true })
    if (record !== null) writeFileSync(path, record)
    assert.equal(isInstalled(root.path), installed, `a record with ${what}`)
  }
})

test('the packages of this repository count as installed', () => {
  assert.equal(isInstalled(INSTALLATION_FOLDER), true)
})

test('a missing or broken lockfile is reported', () => {
  for (const broken of [null, '', '{"packages":']) {
    using root = makeRoot(broken)
    assert.throws(() => isInstalled(root.path), /package-lock\.json is missing or broken/)
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
  using root = makeRoot(lockfile({}))
  assert.throws(
    () => packagedNode(root.path),
    /Node 24\.7\.0 or newer is needed, this is [\d.]+, and the package node-\S+ is not installed/,
  )
  const path = addPackagedNode(root.path)
  assert.equal(packagedNode(root.path), path)
})

for (const [name, node] of Object.entries({
  'this Node': CURRENT_NODE,
  'an older Node': findOlderNode(),
})) {
  test(`a script launched on ${name} gets its arguments, and its exit code or signal is passed on`, async () => {
    using root = makeRoot(lockfile({}))
    writeFileSync(join(root.path, 'node_modules/.package-lock.json'), lockfile({}))
    addPackagedNode(root.path)
    const script = `
      const [how, ...rest] = process.argv.slice(2)
      console.log(JSON.stringify({ rest, node: process.execPath, lifeline: process.env.LIFELINE_FD ?? null }))
      if (how === 'signal') process.kill(process.pid, 'SIGKILL')
      else process.exitCode = 7`
    writeFileSync(join(root.path, 'script.mjs'), script)
    const words = ['two words', '"quoted"', '$HOME', 'é']

    const ended = await launch(root.path, node, ['script.mjs', 'code', ...words])
    assert.equal(ended.code, 7, ended.stderr)
    assert.deepEqual(JSON.parse(ended.stdout).rest, words)
    assert.equal(JSON.parse(ended.stdout).lifeline, null)
    const killed = await launch(root.path, node, ['script.mjs', 'signal'])
    assert.equal(killed.signal, 'SIGKILL')
  })
}

test('missing packages are installed by npm ci without scripts, and a failure is reported', async () => {
  using root = makeRoot(lockfile(WANTED))
  const tools = join(root.path, 'tools')
  mkdirSync(tools)
  writeFileSync(join(root.path, 'script.mjs'), `console.log('ran')`)
  const record = join(root.path, 'node_modules/.package-lock.json')
  const npm = join(tools, 'npm')
  const env = { PATH: `${tools}:/usr/bin:/bin` }

  writeFileSync(npm, '#!/bin/sh\nexit 1\n')
  chmodSync(npm, 0o755)
  const failed = await launch(root.path, CURRENT_NODE, ['script.mjs'], env)
  assert.equal(failed.code, 1)
  assert.equal(failed.stdout, '')
  assert.match(failed.stderr, /hansard: npm ci failed/)
  assert.doesNotMatch(failed.stderr, /\n\s+at /)

  const output = join(root.path, 'arguments')
  writeFileSync(join(root.path, 'record'), lockfile(PRESENT))
  writeFileSync(npm, `#!/bin/sh\necho "$@" > '${output}'\ncp '${root.path}/record' '${record}'\n`)
  const { code, stdout, stderr } = await launch(root.path, CURRENT_NODE, ['script.mjs'], env)
  assert.equal(code, 0, stderr)
  assert.equal(stdout, 'ran\n')
  assert.match(readFileSync(output, 'utf8'), /^ci .*--ignore-scripts/)
})

function lockfile(packages: Record<string, Entry>): string {
  return JSON.stringify({ name: 'created-up', lockfileVersion: 3, packages })
}

/** A temporary installation with the real launcher, the given lockfile and no packages. */
function makeRoot(lock: string | null): Disposable & { path: string } {
  const path = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'root-'))
  cpSync(join(INSTALLATION_FOLDER, 'bin'), join(path, 'bin'), { recursive: true })
  mkdirSync(join(path, 'node_modules'))
  if (lock !== null) writeFileSync(join(path, 'package-lock.json'), lock)
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

function addPackagedNode(root: string): string {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const binary = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  const path = join(root, 'node_modules', `node-${system}-${process.arch}`, binary)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(process.execPath, path)
  return path
}

async function launch(root: string, node: Command, args: string[], env = {}) {
  const [program, ...first] = node
  const child = spawn(program, [...first, join(root, 'bin/with-node.mjs'), ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[code, signal], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, signal, stdout, stderr }
}
