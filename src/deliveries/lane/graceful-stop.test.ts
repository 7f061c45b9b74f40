import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createManualTimers } from '../../../test/support/time/manual-timers.ts'
import { createGracefulStop } from './graceful-stop.ts'

test('a stop that is said again and again cuts off at the end of the first grace, or at once when it must', () => {
  const timers = createManualTimers()
  const patient = createGracefulStop(timers)
  const hasty = createGracefulStop(timers)
  for (const stop of [patient, hasty]) stop.begin(5_000)
  timers.advance(4_999)
  patient.begin(5_000)
  hasty.begin(0)
  assert.deepEqual([patient.aborting.aborted, hasty.aborting.aborted], [false, true])
  timers.advance(1)
  assert.equal(patient.aborting.aborted, true)
  assert.equal(timers.count(), 0)
})
