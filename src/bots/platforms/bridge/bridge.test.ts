import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createObservationMerger, createPageTimeConverter } from './bridge.ts'
import type { BridgeMessage } from './messages.ts'

const UNCHANGED: BridgeMessage = { kind: 'unchanged' }

function observation(words: string, parts: Record<string, string>): BridgeMessage {
  const address = 'https://teams.microsoft.com/v2/'
  const found = { hangupButton: 'hangupButton' in parts ? 0 : null }
  return {
    kind: 'observation',
    observation: { address, language: '', words, parts, found, count: null },
  }
}

test('a page shows the parts and words of all its frames until a frame is gone', () => {
  const merger = createObservationMerger()
  const outer = observation('Outer', {})
  assert.deepEqual(merger.merge('main', outer), outer)
  const whole = merger.merge('frame', observation('Inner', { hangupButton: 'Leave' }))
  assert.deepEqual(whole, observation('Outer\nInner', { hangupButton: 'Leave' }))
  assert.deepEqual(merger.merge('main', UNCHANGED), UNCHANGED)
  merger.remove('frame')
  assert.deepEqual(merger.merge('main', UNCHANGED), outer)
  assert.deepEqual(merger.merge('main', UNCHANGED), UNCHANGED)
})

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
