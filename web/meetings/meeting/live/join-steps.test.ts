import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { listJoinSteps } from './join-steps.ts'

const startedAt = '2026-01-01T10:00:00.000Z'
const at = (second: number) => `2026-01-01T10:00:${String(second).padStart(2, '0')}.000Z`

/** The steps of a meeting with these statuses, one every ten seconds. */
function stepsOf(...names: Array<'joining' | 'lobby' | 'live' | 'leaving' | 'ended'>) {
  const statuses = names.map((status, i) => ({
    status,
    at: at(i * 10),
    reason: null,
    detail: null,
  }))
  return listJoinSteps({ status: names.at(-1) ?? 'joining', statuses, startedAt })
}
const states = (steps: ReturnType<typeof stepsOf>) => steps.map(({ state }) => state).join(' ')

test('the steps of joining follow the status of the meeting', () => {
  assert.equal(states(stepsOf('joining')), 'current ahead ahead ahead ahead')
  assert.equal(states(stepsOf('joining', 'lobby')), 'done done current ahead ahead')
  assert.equal(states(stepsOf('joining', 'lobby', 'live')), 'done done done done current')
})

test('a bot that is let in at once did not wait for the host', () => {
  assert.equal(states(stepsOf('joining', 'live')), 'done done skipped done current')
})

test('the current step says since when it lasts', () => {
  assert.deepEqual(
    stepsOf('joining', 'lobby').map(({ since }) => since),
    [null, null, at(10), null, null],
  )
  // A meeting whose first status is not loaded yet.
  assert.equal(stepsOf()[0]?.since, startedAt)
})

test('a meeting that ends has no steps', () => {
  assert.deepEqual(stepsOf('joining', 'live', 'leaving'), [])
  assert.deepEqual(stepsOf('joining', 'live', 'ended'), [])
})
