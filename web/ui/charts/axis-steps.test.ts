import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { listAxisSteps } from './axis-steps.ts'

test('an axis has at most four round steps and includes the largest value', () => {
  assert.deepEqual(listAxisSteps(0), [0, 0.5])
  assert.deepEqual(listAxisSteps(2), [0, 0.5, 1, 1.5, 2])
  assert.deepEqual(listAxisSteps(2_700), [0, 1_000, 2_000, 3_000])
  assert.deepEqual(listAxisSteps(99), [0, 50, 100])
  for (const max of [1, 3, 7, 12, 450, 81_234, 1e9]) {
    const steps = listAxisSteps(max)
    assert.ok(steps.length <= 5 && (steps.at(-1) ?? 0) >= max, String(max))
  }
})
