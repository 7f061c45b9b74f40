import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { findNextAttempt, findNextPoll, keepRequestedPoll } from './poll-runner.ts'

const NOW = new Date('2026-11-17T09:00:00Z')
const MINUTE_MS = 60_000
const times = (random: number) => ({ intervalMs: 5 * MINUTE_MS, random: () => random })
const minutesUntil = (date: Date) => (date.getTime() - NOW.getTime()) / MINUTE_MS

test('polls are spread over a fifth of the interval', () => {
  assert.equal(minutesUntil(findNextPoll(times(0), NOW)), 5)
  assert.equal(minutesUntil(findNextPoll(times(1), NOW)), 6)
})

test('a poll that was asked for during another one comes first, unless it is planned earlier', () => {
  const inMinutes = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS)
  const keep = (nextPollAt: Date) =>
    minutesUntil(keepRequestedPoll(inMinutes(5), { nextPollAt, dueAt: NOW }))
  assert.deepEqual(
    [0, 1, 6].map((minutes) => keep(inMinutes(minutes))),
    [5, 1, 5],
  )
})

test('the wait doubles with each failure, up to six hours', () => {
  const waitAfter = (failures: number) =>
    minutesUntil(findNextAttempt(times(0), NOW, { failures, retryAfterMs: null }))
  assert.deepEqual([1, 2, 3, 6, 7, 8, 1_000].map(waitAfter), [5, 10, 20, 160, 320, 360, 360])
})

test('the wait that a server asks for counts, but not beyond six hours', () => {
  const waitFor = (minutes: number) =>
    minutesUntil(findNextAttempt(times(0), NOW, { failures: 1, retryAfterMs: minutes * MINUTE_MS }))
  assert.deepEqual([1, 30, 6_000].map(waitFor), [5, 30, 360])
})
