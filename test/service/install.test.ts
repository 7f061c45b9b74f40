import { strict as assert } from 'node:assert'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../support/time/eventually.ts'
import {
  addFakeNpm,
  createTemporaryInstallation,
  lockfile,
  startLauncher,
} from '../support/service/temporary-installation.ts'

const RUNTIME = { 'node_modules/a': { version: '1.0.0' } }
const NEWER_RUNTIME = { 'node_modules/a': { version: '1.1.0' } }
const DEV = { 'node_modules/for-tests': { version: '5.0.0', dev: true } }

/** An npm that would destroy the packages of its working folder, as `npm ci` does when it fails. */
const FAILING_NPM = 'rm -rf node_modules; mkdir node_modules; exit 1'
/** An npm that installs the packages of `../installs` into its working folder, and writes down its arguments. */
const WORKING_NPM = `echo "$@" > ../arguments
mkdir -p node_modules/a; cp ../installs node_modules/.package-lock.json; echo new > node_modules/a/index.js`

test('a failed install leaves the installed packages as they were', async () => {
  using root = createInstalled({ installed: RUNTIME, wanted: NEWER_RUNTIME })
  const env = addFakeNpm(root.path, FAILING_NPM)
  for (const command of ['serve', 'prepare']) {
    const { code, stdout, stderr } = await run(root.path, [command], env)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /hansard: npm ci failed .*were not changed\n {2}Check that the package/)
    assert.doesNotMatch(stderr, /\n\s+at /)
    assertUnchanged(root.path)
  }
})

test('a failed install names the cache of npm if it cannot be written', async () => {
  using root = createInstalled({ installed: RUNTIME, wanted: NEWER_RUNTIME })
  const inside = join(root.path, 'own/cache')
  mkdirSync(inside, { recursive: true })
  // This file has the effect of root's folder inside a cache that the account itself may write to.
  writeFileSync(join(inside, '_cacache'), '')
  for (const cache of [join(root.path, 'package-lock.json/cache'), inside]) {
    const env = { ...addFakeNpm(root.path, FAILING_NPM), npm_config_cache: cache }
    const { stderr } = await run(root.path, ['prepare'], env)
    assert.match(
      stderr,
      /\n {2}This account cannot write to the cache of npm, \S+\/cache\. Set npm_config_cache/,
    )
  }
})

test('only serve and prepare install packages; other commands report what to run', async () => {
  using root = createInstalled({ installed: RUNTIME, wanted: NEWER_RUNTIME })
  const env = addFakeNpm(root.path, FAILING_NPM)
  for (const args of [
    ['token', 'list'],
    ['doctor'],
    ['serve', '--help'],
    ['config', '--json'],
    [],
  ]) {
    const { code, stdout, stderr } = await run(root.path, args, env)
    assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    assert.match(stderr, /The installed packages are not those of package-lock\.json/)
    assert.ok(stderr.includes(`Run: node ${root.path}/bin/hansard.mjs prepare`), stderr)
    if (args.includes('--json')) assert.ok(JSON.parse(stderr))
    assertUnchanged(root.path)
  }
  rmSync(join(root.path, 'node_modules'), { recursive: true })
  assert.match((await run(root.path, ['token', 'list'], env)).stderr, /packages are not installed/)
})

test('an install replaces the packages when it is complete and keeps the cache', async () => {
  using root = createInstalled({ installed: { ...RUNTIME, ...DEV }, wanted: NEWER_RUNTIME })
  mkdirSync(join(root.path, 'node_modules/.cache'))
  writeFileSync(join(root.path, 'node_modules/.cache/kept'), '')
  writeFileSync(join(root.path, 'installs'), lockfile(NEWER_RUNTIME))
  const env = addFakeNpm(root.path, WORKING_NPM)
  const { code, stdout, stderr } = await run(root.path, ['serve'], env)
  assert.deepEqual([code, stdout], [0, 'ran serve\n'], stderr)
  assert.match(stderr, /^hansard: installing the packages/)
  assert.match(
    readFileSync(join(root.path, 'arguments'), 'utf8'),
    /^ci --ignore-scripts --include=dev/,
  )
  assert.equal(readFileSync(join(root.path, 'node_modules/a/index.js'), 'utf8'), 'new\n')
  assert.ok(existsSync(join(root.path, 'node_modules/.cache/kept')))
  assert.deepEqual(listStagingFolders(root.path), [])
})

test('only serve and prepare, which build the console, need the packages for development', async () => {
  using root = createInstalled({ installed: RUNTIME, wanted: { ...RUNTIME, ...DEV } })
  const failing = addFakeNpm(root.path, FAILING_NPM)
  const listed = await run(root.path, ['token', 'list'], failing)
  assert.equal(listed.stdout, 'ran token\n', listed.stderr)
  assert.equal((await run(root.path, ['serve'], failing)).code, 1)

  writeFileSync(join(root.path, 'installs'), lockfile({ ...RUNTIME, ...DEV }))
  const working = addFakeNpm(root.path, WORKING_NPM)
  const { stdout, stderr } = await run(root.path, ['prepare'], working)
  assert.equal(stdout, 'ran prepare\n', stderr)
  assert.match(readFileSync(join(root.path, 'arguments'), 'utf8'), /--include=dev/)
})

test('a signal during an install stops npm and its children', async () => {
  using root = createInstalled({ installed: RUNTIME, wanted: NEWER_RUNTIME })
  const script = `(sleep 20; touch ${root.path}/finished) & touch ${root.path}/started; wait`
  const child = startLauncher(root.path, ['serve'], { env: addFakeNpm(root.path, script) })
  const ended = child.waitForEnd()
  await eventually(() => (existsSync(join(root.path, 'started')) ? true : null))
  child.kill('SIGTERM')
  // The output ends when the last process of the installation has ended.
  const { code, signal, stdout } = await ended
  assert.deepEqual([code, signal, stdout], [null, 'SIGTERM', ''])
  assert.equal(existsSync(join(root.path, 'finished')), false)
  assertUnchanged(root.path)
})

test('an install that ended at any point is finished or undone by the next start', async () => {
  using root = createInstalled({ installed: RUNTIME, wanted: RUNTIME })
  const env = addFakeNpm(root.path, FAILING_NPM)
  const staging = join(root.path, `node_modules.new.${spawnSync('true').pid}`)
  const modules = join(root.path, 'node_modules')
  const crashes: Record<string, () => void> = {
    'while npm was running': () => mkdirSync(join(staging, 'node_modules/a'), { recursive: true }),
    'between the renames': () => {
      mkdirSync(staging)
      execFileSync('cp', ['-a', modules, join(staging, 'previous')])
      execFileSync('mv', [modules, join(staging, 'node_modules')])
    },
    'between the renames, with an incomplete new folder': () => {
      mkdirSync(join(staging, 'node_modules'), { recursive: true })
      execFileSync('mv', [modules, join(staging, 'previous')])
    },
    'before the previous packages were removed': () =>
      mkdirSync(join(staging, 'previous/a'), { recursive: true }),
  }
  for (const [when, crash] of Object.entries(crashes)) {
    crash()
    const { stdout, stderr } = await run(root.path, ['prepare'], env)
    assert.equal(stdout, 'ran prepare\n', `${when}: ${stderr}`)
    assertUnchanged(root.path)
  }
})

test('the real npm installs the packages of the lockfile', async () => {
  using root = createInstalled({ installed: {}, wanted: {} })
  rmSync(join(root.path, 'node_modules'), { recursive: true })
  mkdirSync(join(root.path, 'package'))
  writeFileSync(join(root.path, 'package/package.json'), '{"name":"a","version":"1.0.0"}')
  writeFileSync(join(root.path, 'package/index.js'), 'module.exports = "package a"')
  execFileSync('tar', ['-czf', 'a.tgz', 'package'], { cwd: root.path })
  const dependencies = { a: `file:${root.path}/a.tgz` }
  writeFileSync(
    join(root.path, 'package.json'),
    JSON.stringify({ name: 'temporary', dependencies }),
  )
  const packages = {
    '': { dependencies },
    'node_modules/a': { version: '1.0.0', resolved: dependencies.a },
  }
  writeFileSync(join(root.path, 'package-lock.json'), lockfile(packages))
  writeFileSync(join(root.path, 'src/main.ts'), `console.log((await import('a')).default)`)
  const env = {
    HOME: root.path,
    npm_config_offline: 'true',
    npm_config_cache: `${root.path}/cache`,
  }
  const { code, stdout, stderr } = await run(root.path, ['prepare'], env)
  assert.deepEqual([code, stdout], [0, 'package a\n'], stderr)
  assert.deepEqual(listStagingFolders(root.path), [])
})

type Packages = Parameters<typeof lockfile>[0]

/** An installation with a program that prints its first argument, and packages of the same or another lockfile. */
function createInstalled({ installed, wanted }: { installed: Packages; wanted: Packages }) {
  const root = createTemporaryInstallation(lockfile(wanted))
  mkdirSync(join(root.path, 'node_modules/a'))
  writeFileSync(join(root.path, 'node_modules/a/index.js'), 'old')
  writeFileSync(join(root.path, 'node_modules/.package-lock.json'), lockfile(installed))
  mkdirSync(join(root.path, 'src'))
  writeFileSync(join(root.path, 'src/main.ts'), `console.log('ran ' + process.argv[2])`)
  return root
}

function run(root: string, args: string[], env: Record<string, string>) {
  return startLauncher(root, args, { env }).waitForEnd()
}

function assertUnchanged(root: string): void {
  assert.equal(readFileSync(join(root, 'node_modules/a/index.js'), 'utf8'), 'old')
  assert.ok(existsSync(join(root, 'node_modules/.package-lock.json')))
  assert.deepEqual(listStagingFolders(root), [])
}

function listStagingFolders(root: string): string[] {
  return readdirSync(root).filter((name) => name.startsWith('node_modules.'))
}
