import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Timers } from '../time/timers.ts'
import { createWakeUp } from './wake-up.ts'

/** Timers that run when the test says so. */
function createTimers(): Timers & { fire(): void; pauses(): number[] } {
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
    pauses: () => [...set.values()],
  }
}

test('a sleep ends when its time is up, and says that nobody woke it', async () => {
  const timers = createTimers()
  const wakeUp = createWakeUp(timers)
  const sleep = wakeUp.sleep(500)
  assert.deepEqual(timers.pauses(), [500])
  timers.fire()
  assert.equal(await sleep, false)
})

test('a call ends a sleep early and leaves no timer behind', async () => {
  const timers = createTimers()
  const wakeUp = createWakeUp(timers)
  const sleep = wakeUp.sleep(500)
  wakeUp.wake()
  assert.equal(await sleep, true)
  assert.deepEqual(timers.pauses(), [])
})

test('a call while nobody sleeps ends the next sleep at once, and only that one', async () => {
  const timers = createTimers()
  const wakeUp = createWakeUp(timers)
  wakeUp.wake()
  wakeUp.wake()
  assert.equal(await wakeUp.sleep(Infinity), true)
  const second = wakeUp.sleep(500)
  timers.fire()
  assert.equal(await second, false)
})

test('a call in the moment in which the time is up is not forgotten', async () => {
  const timers = createTimers()
  const wakeUp = createWakeUp(timers)
  const sleep = wakeUp.sleep(500)
  timers.fire()
  wakeUp.wake()
  assert.equal(await sleep, true)
})

test('a sleep of no length is over at once, one without end sets no timer', async () => {
  const timers = createTimers()
  const wakeUp = createWakeUp(timers)
  assert.equal(await wakeUp.sleep(0), false)
  const endless = wakeUp.sleep(Infinity)
  assert.deepEqual(timers.pauses(), [])
  wakeUp.wake()
  assert.equal(await endless, true)
})
