import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Timers } from '../time/clock.ts'
import { createWakeableSleep } from './wake-up.ts'

/** Timers that the test fires. */
function createTimers(): Timers & { fire(): void; delays(): number[] } {
  const set = new Map<() => void, number>()
  return {
    now: () => 0,
    after(ms, run) {
      set.set(run, ms)
      return () => set.delete(run)
    },
    fire() {
      const due = [...set.keys()]
      set.clear()
      for (const run of due) run()
    },
    delays: () => [...set.values()],
  }
}

test('a sleep that was not interrupted returns false after its time', async () => {
  const timers = createTimers()
  const wakeUp = createWakeableSleep(timers)
  const sleep = wakeUp.sleep(500)
  assert.deepEqual(timers.delays(), [500])
  timers.fire()
  assert.equal(await sleep, false)
})

test('wake ends a sleep early and clears its timer', async () => {
  const timers = createTimers()
  const wakeUp = createWakeableSleep(timers)
  const sleep = wakeUp.sleep(500)
  wakeUp.wake()
  assert.equal(await sleep, true)
  assert.deepEqual(timers.delays(), [])
})

test('wake without a running sleep ends only the next sleep, immediately', async () => {
  const timers = createTimers()
  const wakeUp = createWakeableSleep(timers)
  wakeUp.wake()
  wakeUp.wake()
  assert.equal(await wakeUp.sleep(Infinity), true)
  const second = wakeUp.sleep(500)
  timers.fire()
  assert.equal(await second, false)
})

test('wake in the same instant as the end of the time counts as a wake-up', async () => {
  const timers = createTimers()
  const wakeUp = createWakeableSleep(timers)
  const sleep = wakeUp.sleep(500)
  timers.fire()
  wakeUp.wake()
  assert.equal(await sleep, true)
})

test('a sleep of 0 ms ends immediately and an infinite sleep sets no timer', async () => {
  const timers = createTimers()
  const wakeUp = createWakeableSleep(timers)
  assert.equal(await wakeUp.sleep(0), false)
  const endless = wakeUp.sleep(Infinity)
  assert.deepEqual(timers.delays(), [])
  wakeUp.wake()
  assert.equal(await endless, true)
})
