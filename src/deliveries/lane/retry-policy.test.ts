import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  classifyStatus,
  LANE_RULES,
  backoffAfterFailure,
  backoffAfterRejection,
} from './retry-policy.ts'

const ONGOING = { retryAfterMs: null, sinceMeetingEndMs: null }
const HOUR = 3_600_000

test('an answer is a delivery, a refusal of the event, a goodbye, or else a fault of the receiver', () => {
  const statuses = Array.from({ length: 500 }, (_, i) => i + 100)
  const of = (outcome: string) => statuses.filter((status) => classifyStatus(status) === outcome)
  assert.deepEqual(
    of('delivered'),
    statuses.filter((status) => status >= 200 && status < 300),
  )
  assert.deepEqual(
    of('rejected'),
    [400, 405, 406, 409, 411, 412, 413, 414, 415, 416, 417, 418, 422, 431, 451, 501],
  )
  assert.deepEqual(of('gone'), [410])
  for (const status of [null, 301, 302, 401, 403, 404, 407, 408, 425, 429, 500, 503]) {
    assert.equal(classifyStatus(status), 'failed', String(status))
  }
})

test('the pauses after faults are the published ladder, from half to the whole of each step', () => {
  const seconds = [1, 2, 5, 10, 30, 60, 120, 300, 300, 300]
  const ladder = (random: number) =>
    seconds.map(
      (_, i) => backoffAfterFailure(LANE_RULES, { failures: i + 1, ...ONGOING }, random) / 1_000,
    )
  assert.deepEqual(ladder(1), seconds)
  assert.deepEqual(
    ladder(0),
    seconds.map((step) => step / 2),
  )
})

test('an hour after its meeting a lane that has failed often tries every half hour', () => {
  const pause = (failures: number, sinceMeetingEndMs: number | null) =>
    backoffAfterFailure(LANE_RULES, { failures, retryAfterMs: null, sinceMeetingEndMs }, 1)
  assert.equal(pause(9, HOUR), 300_000)
  assert.equal(pause(9, HOUR + 1), 1_800_000)
  assert.equal(pause(8, HOUR + 1), 300_000)
  assert.equal(pause(1, HOUR + 1), 1_000)
})

test('a receiver that asks for time gets it: a second to five minutes, after the meeting half an hour', () => {
  const asked = [0, 999, 7_000, 300_000, 1_800_000, 9e9]
  const pauses = (sinceMeetingEndMs: number | null) =>
    asked.map((retryAfterMs) =>
      backoffAfterFailure(LANE_RULES, { failures: 3, retryAfterMs, sinceMeetingEndMs }, 0),
    )
  assert.deepEqual(pauses(null), [1_000, 1_000, 7_000, 300_000, 300_000, 300_000])
  assert.deepEqual(pauses(0), [1_000, 1_000, 7_000, 300_000, 1_800_000, 1_800_000])
})

test('an event is refused five times, over more than a minute, before it is left behind', () => {
  const pauses = [1, 2, 3, 4, 5].map((count) => backoffAfterRejection(LANE_RULES, count))
  assert.deepEqual(pauses, [5_000, 10_000, 20_000, 30_000, null])
  assert.ok(pauses.reduce((sum: number, pause) => sum + (pause ?? 0), 0) >= 60_000)
})
