import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Timers } from '../../lib/time/clock.ts'
import { watchAccess } from './event-streams.ts'

/** A stream whose clock and checks the test controls. */
function openWatch() {
  const state = { now: 0, isAllowed: true, failures: 0, cancelled: 0 }
  const due: Array<() => void> = []
  const checks: Array<() => void> = []
  const timers: Timers = {
    now: () => state.now,
    after(_ms, run) {
      due.push(run)
      return () => void (state.cancelled += 1)
    },
  }
  const watch = watchAccess({
    timers,
    isAllowed: async () => {
      const answer = state.isAllowed
      await new Promise<void>((resolve) => void checks.push(resolve))
      return answer
    },
    isAllowedByMemory: async () => true,
    onCheckFailed: () => void (state.failures += 1),
  })
  return {
    state,
    watch,
    /** Starts the check that is due. It returns the current answer, but only after `answerChecks`. */
    startCheck: () => due.shift()?.(),
    async answerChecks() {
      for (const answer of checks.splice(0)) answer()
      await new Promise((resolve) => void setImmediate(resolve))
    },
  }
}

test('the age of an access check counts from its start, so that a slow answer allows nothing for longer', async () => {
  const { state, watch, startCheck, answerChecks } = openWatch()
  state.now = 1_000
  startCheck()
  state.isAllowed = false
  state.now = 2_900
  await answerChecks()
  assert.equal(await watch.maySend(), true)
  // Two seconds after the check began, nothing is sent before another check.
  state.now = 3_001
  const sending = watch.maySend()
  await answerChecks()
  assert.equal(await sending, false)
  assert.equal(watch.signal.aborted, true)
})

test('an idle stream is checked again and again and ends with the first refusal', async () => {
  const { state, watch, startCheck, answerChecks } = openWatch()
  startCheck()
  await answerChecks()
  assert.equal(watch.signal.aborted, false)
  state.isAllowed = false
  startCheck()
  await answerChecks()
  assert.equal(watch.signal.aborted, true)
  assert.equal(await watch.maySend(), false)
  watch[Symbol.dispose]()
  assert.equal(state.cancelled, 1)
})
