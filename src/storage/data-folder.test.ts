import { strict as assert } from 'node:assert'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { restrictDataFolder, openDataFolder } from './data-folder.ts'

test('a data folder that other accounts can enter is restricted to its owner', () => {
  const root = mkdtempSync(join(tmpdir(), 'folder-'))
  using stack = new DisposableStack()
  stack.defer(() => rmSync(root, { recursive: true }))
  for (const mode of [0o755, 0o750, 0o701, 0o777]) {
    chmodSync(root, mode)
    openDataFolder(root)
    mkdirSync(join(root, 'deployed-md-files/docs'), { recursive: true })
    assert.equal(restrictDataFolder(root), 'restricted now', mode.toString(8))
    assert.equal(statSync(root).mode & 0o777, 0o700)
    assert.equal(restrictDataFolder(root), 'restricted')
  }
})

test('a folder that also contains other files keeps its mode and is reported as open', () => {
  const root = mkdtempSync(join(tmpdir(), 'folder-'))
  using stack = new DisposableStack()
  stack.defer(() => rmSync(root, { recursive: true }))
  openDataFolder(root)
  writeFileSync(join(root, 'unrelated-file'), '')
  chmodSync(root, 0o755)
  assert.equal(restrictDataFolder(root), 'open')
  assert.equal(statSync(root).mode & 0o777, 0o755)
})
