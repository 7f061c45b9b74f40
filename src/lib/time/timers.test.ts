import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { systemTimers } from './timers.ts'

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
