import { strict as assert } from 'node:assert'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createFoldersSync } from './folders.ts'

test('missing folders are created from the top, and the created ones are returned', () => {
  const root = mkdtempSync(join(tmpdir(), 'folders-'))
  using stack = new DisposableStack()
  stack.defer(() => rmSync(root, { recursive: true }))
  const [a, b] = [join(root, 'a'), join(root, 'a/b')]
  assert.deepEqual(createFoldersSync(b, 0o700), [a, b])
  assert.equal(statSync(b).mode & 0o777, 0o700)
  assert.deepEqual(createFoldersSync(b, 0o700), [])
  const file = join(root, 'file')
  writeFileSync(file, '')
  assert.throws(() => createFoldersSync(file, 0o700), /EEXIST/)
  assert.throws(() => createFoldersSync(join(file, 'x'), 0o700), /ENOTDIR|EEXIST/)
})

test(
  'a folder in a place that takes none is an error',
  { skip: !existsSync('/proc/self') && 'there is no /proc' },
  () => {
    assert.throws(() => createFoldersSync('/proc/no-such-folder', 0o700), /ENOENT/)
    assert.throws(() => createFoldersSync('/proc/no-such-folder/data', 0o700), /ENOENT/)
  },
)
