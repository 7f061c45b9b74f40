import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createMonotonicTimeConverter, systemTimers } from './clock.ts'

test('a monotonic clock goes forward when its source clock is set back', () => {
  const clock = createMonotonicTimeConverter()
  assert.deepEqual([1_000, 2_000, 500, 600].map(clock.advance), [1_000, 2_000, 2_000, 2_100])
  assert.equal(clock.toSourceTime(2_100), 600)
})

test('peek does not advance a monotonic clock and never returns an earlier time', () => {
  const clock = createMonotonicTimeConverter()
  clock.advance(1_000)
  assert.equal(clock.peek(5_000), 5_000)
  assert.equal(clock.peek(10), 1_000)
  assert.equal(clock.advance(1_500), 1_500)
  clock.advance(500)
  assert.equal(clock.peek(600), 1_600)
})

test('a timer never fires early by its clock, even after the event loop was busy', async () => {
  for (let ms = 0; ms < 40; ms += 1.7) {
    const busyUntil = systemTimers.now() + 5
    while (systemTimers.now() < busyUntil);
    const dueAt = systemTimers.now() + ms
    await new Promise<void>((resolve) => {
      systemTimers.after(ms, resolve)
    })
    assert.ok(systemTimers.now() >= dueAt)
  }
})

test('a cancelled timer does not fire', async () => {
  let hasRun = false
  const cancel = systemTimers.after(5, () => {
    hasRun = true
  })
  cancel()
  await new Promise<void>((resolve) => {
    systemTimers.after(10, resolve)
  })
  assert.equal(hasRun, false)
})
