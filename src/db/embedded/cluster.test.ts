import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { spaceMend } from './cluster.ts'

test('a set-up that failed on a full disk says so, also when no program did', () => {
  assert.match(spaceMend('child process exited with exit code 134', 20) ?? '', /20 MB are free/)
  assert.match(spaceMend('write: No space left on device', 5_000) ?? '', /disk space/)
  assert.equal(spaceMend('child process exited with exit code 134', 5_000), undefined)
})
