import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { describeFixIfDiskFull } from './cluster.ts'

test('a failed database setup names the full disk even when initdb does not', () => {
  assert.match(
    describeFixIfDiskFull('child process exited with exit code 134', 20) ?? '',
    /20 MB are free/,
  )
  assert.match(describeFixIfDiskFull('write: No space left on device', 5_000) ?? '', /disk space/)
  assert.equal(describeFixIfDiskFull('child process exited with exit code 134', 5_000), undefined)
})
