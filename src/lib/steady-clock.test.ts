import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createSteadyClock } from './steady-clock.ts'

test('a steady clock goes forward when the outer one is set back', () => {
  const clock = createSteadyClock()
  assert.deepEqual([1_000, 2_000, 500, 600].map(clock.read), [1_000, 2_000, 2_000, 2_100])
  assert.equal(clock.outer(2_100), 600)
})

test('whoever looks beside moves no clock, and sees no time before the last one', () => {
  const clock = createSteadyClock()
  clock.read(1_000)
  assert.equal(clock.look(5_000), 5_000)
  assert.equal(clock.look(10), 1_000)
  assert.equal(clock.read(1_500), 1_500)
  clock.read(500)
  assert.equal(clock.look(600), 1_600)
})
