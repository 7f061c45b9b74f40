import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createPageClock } from './page-clock.ts'

test('messages that waited on the way are dated by when they left', () => {
  const clock = createPageClock()
  assert.equal(clock.toLocalTime(1_000_000, 500), 500)
  // Three seconds of nothing, then everything at once.
  assert.equal(Math.round(clock.toLocalTime(1_000_100, 3_500)), 602)
  assert.equal(Math.round(clock.toLocalTime(1_001_000, 3_500)), 1_502)
  assert.equal(Math.round(clock.toLocalTime(1_003_000, 3_500)), 3_500)
})

test('a clock that was set, forward or back, is believed again at once', () => {
  const clock = createPageClock()
  clock.toLocalTime(5_000_000, 1_000)
  assert.equal(clock.toLocalTime(1_000_000, 2_000), 2_000)
  assert.equal(clock.toLocalTime(9_000_000, 3_000), 3_000)
  assert.ok(clock.toLocalTime(9_001_000, 4_000) > 3_900)
})

test('a clock that runs a little slower does not fall behind', () => {
  const clock = createPageClock()
  let at = 0
  for (let ms = 0; ms <= 14_400_000; ms += 500) at = clock.toLocalTime(ms * 0.9999, ms)
  assert.ok(14_400_000 - at < 100, String(at))
})

test('time never goes back', () => {
  const clock = createPageClock()
  clock.toLocalTime(1_000, 1_000)
  const later = clock.toLocalTime(2_000, 2_000)
  assert.ok(clock.toLocalTime(1_500, 2_001) >= later)
})
