import { strict as assert } from 'node:assert'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { replaceBuild } from './build-console.ts'

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
