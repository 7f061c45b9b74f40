import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { diskSpaceFix } from './cluster.ts'

test('a failed database setup names the full disk even when initdb does not', () => {
  assert.match(diskSpaceFix('child process exited with exit code 134', 20) ?? '', /20 MB are free/)
  assert.match(diskSpaceFix('write: No space left on device', 5_000) ?? '', /disk space/)
  assert.equal(diskSpaceFix('child process exited with exit code 134', 5_000), undefined)
})
