import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createPageTimeConverter } from './page-clock.ts'

test('delayed messages get the time at which the page sent them', () => {
  const clock = createPageTimeConverter()
  assert.equal(clock.toLocalTime(1_000_000, 500), 500)
  // Three seconds without messages, then all of them together.
  assert.equal(Math.round(clock.toLocalTime(1_000_100, 3_500)), 602)
  assert.equal(Math.round(clock.toLocalTime(1_001_000, 3_500)), 1_502)
  assert.equal(Math.round(clock.toLocalTime(1_003_000, 3_500)), 3_500)
})

test("the page clock adapts immediately when the page's clock is changed", () => {
  const clock = createPageTimeConverter()
  clock.toLocalTime(5_000_000, 1_000)
  assert.equal(clock.toLocalTime(1_000_000, 2_000), 2_000)
  assert.equal(clock.toLocalTime(9_000_000, 3_000), 3_000)
  assert.ok(clock.toLocalTime(9_001_000, 4_000) > 3_900)
})

test('the page clock follows a page whose clock runs slower', () => {
  const clock = createPageTimeConverter()
  let at = 0
  for (let ms = 0; ms <= 14_400_000; ms += 500) at = clock.toLocalTime(ms * 0.9999, ms)
  assert.ok(14_400_000 - at < 100, String(at))
})

test('times of the page clock never decrease', () => {
  const clock = createPageTimeConverter()
  clock.toLocalTime(1_000, 1_000)
  const later = clock.toLocalTime(2_000, 2_000)
  assert.ok(clock.toLocalTime(1_500, 2_001) >= later)
})
