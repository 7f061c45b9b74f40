import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createWatchedFolderSet } from './document-changes.ts'

test('a folder that is added after the watches were disposed is not watched', () => {
  const root = mkdtempSync(join(tmpdir(), 'watch-'))
  using stack = new DisposableStack()
  stack.defer(() => rmSync(root, { recursive: true }))
  const countWatches = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length
  const before = countWatches()
  const folders = createWatchedFolderSet(root, () => {})
  folders[Symbol.dispose]()
  folders.add('')
  // The file system refuses this name with an error.
  assert.doesNotThrow(() => folders.add('\0'))
  assert.equal(countWatches(), before)
})
