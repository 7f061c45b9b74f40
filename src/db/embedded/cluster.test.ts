import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { describeDiskSpaceFix } from './cluster.ts'

test('a failed database setup names the full disk even when initdb does not', () => {
  assert.match(
    describeDiskSpaceFix('child process exited with exit code 134', 20) ?? '',
    /20 MB are free/,
  )
  assert.match(describeDiskSpaceFix('write: No space left on device', 5_000) ?? '', /disk space/)
  assert.equal(describeDiskSpaceFix('child process exited with exit code 134', 5_000), undefined)
})
