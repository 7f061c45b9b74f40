import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createManualTimers } from '../../../../../test/support/time/manual-timers.ts'
import { createStallDetector } from './stall-detector.ts'

test('a page that stops reporting is stalled once, and resumes with its next message', () => {
  const timers = createManualTimers()
  const kinds: string[] = []
  const detector = createStallDetector(timers, ({ kind }) => void kinds.push(kind))
  detector.messageReceived()
  timers.advance(60_000)
  assert.deepEqual(kinds, [], 'before the call nothing is reported')
  detector.start()
  for (let i = 0; i < 10; i += 1) {
    timers.advance(500)
    detector.messageReceived()
  }
  assert.deepEqual(kinds, [])
  timers.advance(4_000)
  assert.deepEqual(kinds, ['page stalled'])
  detector.messageReceived()
  timers.advance(500)
  assert.deepEqual(kinds, ['page stalled', 'page resumed'])
  detector.stop()
  assert.equal(timers.count(), 0)
})
