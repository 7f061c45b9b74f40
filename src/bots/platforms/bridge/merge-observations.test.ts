import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createObservationMerger } from './merge-observations.ts'
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
