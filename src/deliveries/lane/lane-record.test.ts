import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { PostResult } from '../transport.ts'
import { type LaneEvent, type LaneProgress, computeLaneTransition } from './lane-record.ts'
import { LANE_RULES } from './retry-policy.ts'

const NOW = 1_800_000_000_000
const HOUR = 3_600_000

const FRESH: LaneProgress = {
  state: 'open',
  deliveredThrough: 4,
  previousSequence: 3,
  failures: 0,
  rejections: 0,
  failingSince: null,
  dueAt: NOW - 5,
  lastError: null,
}
const event = (sequence: number, ageMs = 0): LaneEvent => {
  return { sequence, type: 'segment_finalized', at: NOW - ageMs, body: '{}' }
}
const answer = (status: number | null, more: Partial<PostResult> = {}): PostResult => {
  return { status, error: null, answer: '', retryAfterMs: null, durationMs: 1, ...more }
}
const after = (
  result: PostResult,
  progress: Partial<LaneProgress> = {},
  waiting: [LaneEvent, ...LaneEvent[]] = [event(7)],
  replayRequestedAt: number | null = null,
) => {
  const [head, ...queued] = waiting
  return computeLaneTransition({
    kind: 'meeting',
    progress: { ...FRESH, ...progress },
    head,
    queuedAfterHead: () => queued,
    result,
    now: NOW,
    random: 1,
    meetingEndedAt: null,
    rules: LANE_RULES,
    giveUpMs: 24 * HOUR,
    replayRequestedAt,
  })
}

test('a delivery moves the lane past the event, makes it due immediately and clears its failures', () => {
  const failing = { failures: 6, rejections: 2, failingSince: NOW - 9, lastError: 'http_500' }
  assert.deepEqual(after(answer(204), failing), {
    next: { ...FRESH, deliveredThrough: 7, previousSequence: 7 },
    outcome: 'delivered',
    deadLetters: [],
  })
})

test('a failure leaves the lane at the event and waits for the next back-off step', () => {
  const { next, deadLetters } = after(answer(null, { error: 'timeout' }), { failures: 2 })
  const failing = { failures: 3, failingSince: NOW, lastError: 'timeout' }
  assert.deepEqual(next, { ...FRESH, ...failing, dueAt: NOW + 5_000 })
  assert.deepEqual(deadLetters, [])
  assert.equal(after(answer(503)).next.lastError, 'http_503')
  assert.equal(after(answer(503, { retryAfterMs: 9_000 })).next.dueAt, NOW + 9_000)
})

test('the fifth rejection makes the event a dead letter, the first four do not', () => {
  let progress: LaneProgress = FRESH
  for (const backoffMs of LANE_RULES.rejectionBackoffMs) {
    const { next, deadLetters } = after(answer(422), progress)
    assert.deepEqual([next.deliveredThrough, next.dueAt, deadLetters], [4, NOW + backoffMs, []])
    progress = next
  }
  assert.deepEqual([progress.rejections, progress.failingSince, progress.failures], [4, NOW, 4])
  assert.deepEqual(after(answer(400), progress), {
    next: {
      ...FRESH,
      deliveredThrough: 7,
      previousSequence: 7,
      dueAt: NOW,
      failingSince: NOW,
      lastError: 'http_400',
    },
    outcome: 'rejected',
    deadLetters: [{ sequence: 7, reason: 'rejected' }],
  })
})

test('a lane that keeps failing fails since the first failure', () => {
  const { next } = after(answer(401), { failures: 2, failingSince: NOW - HOUR })
  assert.equal(next.failingSince, NOW - HOUR)
})

test('a failure between two rejections does not count as a rejection', () => {
  const { next } = after(answer(500), { rejections: 4, failingSince: NOW - 100, failures: 4 })
  assert.deepEqual([next.rejections, next.failingSince, next.failures], [4, NOW - 100, 5])
})

test('a 410 closes the lane without giving up its events', () => {
  const { next, outcome, deadLetters } = after(answer(410))
  assert.deepEqual([next.state, next.dueAt, next.deliveredThrough], ['closed', null, 4])
  assert.deepEqual([outcome, deadLetters, next.lastError], ['gone', [], 'http_410'])
})

test('a failure gives up the expired events at the front of the queue, and no others', () => {
  const old = 25 * HOUR
  const waiting = [event(7, old), event(9, old), event(10), event(11, old)] as const
  const { next, deadLetters } = after(answer(500), { failures: 8, rejections: 2 }, [...waiting])
  assert.deepEqual([next.deliveredThrough, next.previousSequence], [9, 9])
  assert.deepEqual(deadLetters, [
    { sequence: 7, reason: 'expired' },
    { sequence: 9, reason: 'expired' },
  ])
  assert.deepEqual([next.failures, next.rejections, next.failingSince], [9, 0, NOW])
})

test('an event expires only past the age limit, and only when the receiver fails', () => {
  const limit = 24 * HOUR
  assert.deepEqual(after(answer(500), {}, [event(7, limit)]).deadLetters, [])
  assert.equal(after(answer(500), {}, [event(7, limit + 1)]).deadLetters.length, 1)
  assert.deepEqual(after(answer(400), {}, [event(7, 9 * limit)]).deadLetters, [])
  assert.deepEqual(
    after(answer(200), {}, [event(7, 9 * limit), event(8, 9 * limit)]).deadLetters,
    [],
  )
})

test('events of a replay count as no older than the request for the replay', () => {
  const limit = 24 * HOUR
  const waiting = [event(7, 9 * limit), event(8, 9 * limit)] as const
  assert.deepEqual(after(answer(503), {}, [...waiting], NOW - limit).deadLetters, [])
  assert.equal(after(answer(503), {}, [...waiting], NOW - limit - 1).deadLetters.length, 2)
})
