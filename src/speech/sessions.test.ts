import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createManualTimers } from '../../test/support/time/manual-timers.ts'
import { createDelayReport } from './sessions.ts'

test('a session reports a long delay, and at its end every delay until nothing waits', () => {
  const timers = createManualTimers()
  const reported: number[] = []
  let behindMs = 4_000
  const delays = createDelayReport(
    () => behindMs,
    (ms) => reported.push(ms),
    timers,
  )
  delays.check()
  timers.advance(5_000)
  assert.deepEqual(reported, [])
  behindMs = 7_000
  timers.advance(5_000)
  behindMs = 3_000
  timers.advance(5_000)
  assert.deepEqual(reported.splice(0), [7_000, 0])
  timers.advance(4_000)
  delays.reportNow()
  timers.advance(1_000)
  assert.deepEqual(reported.splice(0), [3_000, 3_000])
  behindMs = 0
  timers.advance(5_000)
  assert.deepEqual(reported, [0])
  assert.equal(timers.count(), 0)
})
