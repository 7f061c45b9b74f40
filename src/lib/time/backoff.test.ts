import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { doublingDelayMs } from './backoff.ts'

test('the wait doubles with each failure, up to the longest one', () => {
  const waits = [0, 1, 2, 3, 4, 5, 100_000].map((failures) => doublingDelayMs(10, failures, 70))
  assert.deepEqual(waits, [10, 10, 20, 40, 70, 70, 70])
  assert.equal(doublingDelayMs(10, 5), 160)
})
