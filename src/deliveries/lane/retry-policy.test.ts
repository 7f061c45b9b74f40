import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  classifyResponseStatus,
  LANE_RULES,
  backoffMsAfterFailure,
  backoffMsAfterRejection,
} from './retry-policy.ts'

const ONGOING = { retryAfterMs: null, sinceMeetingEndMs: null }
const HOUR = 3_600_000

test('a status is classified as delivered, rejected, gone, or otherwise failed', () => {
  const statuses = Array.from({ length: 500 }, (_, i) => i + 100)
  const of = (outcome: string) =>
    statuses.filter((status) => classifyResponseStatus(status) === outcome)
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
    assert.equal(classifyResponseStatus(status), 'failed', String(status))
  }
})

test('the waits after failures follow the documented steps, with jitter from half to all of each step', () => {
  const seconds = [1, 2, 5, 10, 30, 60, 120, 300, 300, 300]
  const waitsWith = (random: number) =>
    seconds.map(
      (_, i) => backoffMsAfterFailure(LANE_RULES, { failures: i + 1, ...ONGOING }, random) / 1_000,
    )
  assert.deepEqual(waitsWith(1), seconds)
  assert.deepEqual(
    waitsWith(0),
    seconds.map((step) => step / 2),
  )
})

test('an hour after the meeting a lane that keeps failing retries every half hour', () => {
  const backoff = (failures: number, sinceMeetingEndMs: number | null) =>
    backoffMsAfterFailure(LANE_RULES, { failures, retryAfterMs: null, sinceMeetingEndMs }, 1)
  assert.equal(backoff(9, HOUR), 300_000)
  assert.equal(backoff(9, HOUR + 1), 1_800_000)
  assert.equal(backoff(8, HOUR + 1), 300_000)
  assert.equal(backoff(1, HOUR + 1), 1_000)
})

test('Retry-After is honoured between one second and five minutes, and up to half an hour after the meeting', () => {
  const retryAfters = [0, 999, 7_000, 300_000, 1_800_000, 9e9]
  const waits = (sinceMeetingEndMs: number | null) =>
    retryAfters.map((retryAfterMs) =>
      backoffMsAfterFailure(LANE_RULES, { failures: 3, retryAfterMs, sinceMeetingEndMs }, 0),
    )
  assert.deepEqual(waits(null), [1_000, 1_000, 7_000, 300_000, 300_000, 300_000])
  assert.deepEqual(waits(0), [1_000, 1_000, 7_000, 300_000, 1_800_000, 1_800_000])
})

test('an event is rejected five times, over more than a minute, before it is given up', () => {
  const waits = [1, 2, 3, 4, 5].map((count) => backoffMsAfterRejection(LANE_RULES, count))
  assert.deepEqual(waits, [5_000, 10_000, 20_000, 30_000, null])
  assert.ok(waits.reduce((sum: number, ms) => sum + (ms ?? 0), 0) >= 60_000)
})
