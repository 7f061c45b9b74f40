import { strict as assert } from 'node:assert'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { isProcessAlive } from '../../src/db/embedded/postmaster.ts'
import { requireEnv } from '../support/database/test-database.ts'
import { eventually } from '../support/time/eventually.ts'
import durations from './durations.json' with { type: 'json' }
import { findAffectedTests } from './affected-tests.ts'
import { orderFiles } from './order-files.ts'

test('the longest files start first, and files that need a process of their own run alone', () => {
  const [longest = ''] = Object.entries(durations).toSorted(([, a], [, b]) => b - a)[0] ?? []
  const files = ['test/new.test.ts', 'test/client/runtimes.test.ts', longest]
  assert.deepEqual(orderFiles(files), {
    shared: [longest, 'test/new.test.ts'],
    alone: ['test/client/runtimes.test.ts'],
  })
})

test('a process that is alive after its last test fails and says what keeps it alive', () => {
  const watch = pathToFileURL(join(import.meta.dirname, 'end-watch.ts')).href
  const run = (code: string, limitMs: number) => {
    const program = `import { failIfStillAlive } from '${watch}'; failIfStillAlive(['a.test.ts'], ${limitMs}); ${code}`
    const options = { encoding: 'utf8', timeout: 60_000 } as const
    return spawnSync(process.execPath, ['--input-type=module', '-e', program], options)
  }
  assert.equal(run('setTimeout(() => undefined, 1)', 30_000).status, 0)
  const { status, stderr } = run(
    `import { createServer } from 'node:net'; createServer().listen(0); setInterval(() => undefined, 1000)`,
    50,
  )
  assert.equal(status, 1)
  assert.match(stderr, /Its files: a\.test\.ts/)
  assert.match(stderr, /resources: .*TCPServerWrap.*Timeout/)
  assert.match(stderr, /"type":"tcp".*"localEndpoint"/)
})

test('the processes of a run that was killed end, even those that catch every signal and error', async () => {
  const watch = pathToFileURL(join(import.meta.dirname, 'end-watch.ts')).href
  const child = `import { endWithRun } from '${watch}'
    endWithRun()
    process.on('SIGTERM', () => undefined)
    process.on('uncaughtException', (error) => process.stderr.write(String(error)))
    setInterval(() => process.stderr.write('.'), 10)
    console.log(process.pid)`
  const run = `import { spawn } from 'node:child_process'
    const child = spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(child)}])
    child.stdout.pipe(process.stdout)
    child.stderr.resume()`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', run])
  const [id] = (await once(parent.stdout, 'data')) as [Buffer]
  parent.kill('SIGKILL')
  await eventually(() => (isProcessAlive(Number(String(id))) ? null : true))
})

const REPOSITORY = {
  'src/a.ts': `import { b } from './deep/b.ts'`,
  'src/deep/b.ts': `import type { C } from '../c.ts'`,
  'src/c.ts': '',
  'src/thread.ts': `workerModuleUrl('deep/some-worker', import.meta.url)`,
  'src/deep/some-worker.ts': `import '../c.ts'`,
  'src/a.test.ts': `import './a.ts'`,
  'src/thread.test.ts': `import { x } from './thread.ts'`,
  'test/docs.test.ts': `readdirSync(join(root, 'docs'))`,
  'test/process.test.ts': `spawn(join(root, 'src/a.ts'))`,
  'docs/api.md': 'text',
}
const AFFECTED: Record<string, string[]> = {
  'src/deep/b.ts': ['src/a.test.ts', 'test/process.test.ts'],
  'src/c.ts': ['src/thread.test.ts'],
  'src/removed.ts': [],
  'docs/api.md': ['test/docs.test.ts'],
  'src/a.test.ts': ['src/a.test.ts'],
  'README.md': [],
}

test('a change affects the tests that reach it by imports or name its path or folder', () => {
  const folder = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'repository-'))
  for (const [path, text] of Object.entries(REPOSITORY)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const files = Object.keys(REPOSITORY)
  const tests = files.filter((file) => file.endsWith('.test.ts'))
  for (const [changed, expected] of Object.entries(AFFECTED)) {
    const affected = findAffectedTests(folder, { files, changed: [changed] }, tests)
    assert.deepEqual(affected, expected, changed)
  }
  for (const changed of ['package.json', 'src/db/migrations/0001.ts', 'test/support/a.ts']) {
    assert.deepEqual(findAffectedTests(folder, { files, changed: [changed] }, tests), tests)
  }
})
