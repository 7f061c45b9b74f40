import { strict as assert } from 'node:assert'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../../test/support/time/eventually.ts'
import { buildConsoleIfStale, replaceBuild } from './build-console.ts'

function createBuild(folder: string, sourceHash: string, page: string): string {
  mkdirSync(folder)
  writeFileSync(join(folder, '.sources'), sourceHash)
  writeFileSync(join(folder, 'index.html'), page)
  return folder
}

function createTemporaryFolder() {
  const root = mkdtempSync(join(tmpdir(), 'hansard-console-'))
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}

test('a build of the same sources by another process stays in place', async () => {
  using temporary = createTemporaryFolder()
  const folder = createBuild(join(temporary.root, 'console'), 'same', 'theirs')
  const fresh = createBuild(join(temporary.root, 'console.1'), 'same', 'ours')
  await replaceBuild(folder, fresh, 'same')
  assert.equal(readFileSync(join(folder, 'index.html'), 'utf8'), 'theirs')
  assert.deepEqual(readdirSync(temporary.root), ['console'])
})

test('a build of older sources is replaced', async () => {
  using temporary = createTemporaryFolder()
  const folder = createBuild(join(temporary.root, 'console'), 'old', 'old')
  const fresh = createBuild(join(temporary.root, 'console.1'), 'new', 'new')
  await replaceBuild(folder, fresh, 'new')
  assert.equal(readFileSync(join(folder, 'index.html'), 'utf8'), 'new')
  assert.deepEqual(readdirSync(temporary.root), ['console'])
})

/** Simulates a long build. */
const ENDLESS_BUILD = `
  const outDir = process.argv[process.argv.indexOf('--outDir') + 1]
  require('node:fs').mkdirSync(outDir)
  setInterval(() => {}, 60_000)
`

test('a build is announced, and leaves nothing when it is aborted', async () => {
  using temporary = createTemporaryFolder()
  const { root } = temporary
  for (const name of ['web', 'client', 'src', 'package-lock.json'])
    symlinkSync(resolve(import.meta.dirname, '../..', name), join(root, name))
  mkdirSync(join(root, 'node_modules/vite/bin'), { recursive: true })
  writeFileSync(join(root, 'node_modules/vite/bin/vite.js'), ENDLESS_BUILD)
  const abort = new AbortController()
  let isAnnounced = false
  const onBuild = () => (isAnnounced = true)
  const build = buildConsoleIfStale(root, { signal: abort.signal, onBuild })
  const hasBegun = () => existsSync(join(root, `dist/console.${process.pid}`)) || null
  await Promise.race([build, eventually(hasBegun)])
  assert.equal(isAnnounced, true)
  abort.abort(new Error('stopped by a signal'))
  await assert.rejects(build, /stopped by a signal/)
  assert.deepEqual(readdirSync(join(root, 'dist')), [])
})
