import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { divideByDay, findIncompleteDay } from './meeting-days.ts'

/** Times without a zone are in the process's time zone, as in a browser. */
const at = (time: string, status = 'ended') => ({
  startedAt: new Date(time).toISOString(),
  status,
})

test('meetings are divided at midnight of the local time zone, without those that are not over', () => {
  const meetings = [
    at('2026-11-17T16:00', 'live'),
    at('2026-11-17T15:00'),
    at('2026-11-17T00:00', 'error'),
    at('2026-11-16T23:59'),
    at('2026-11-16T00:00'),
    at('2026-11-15T23:59'),
    at('2025-11-17T12:00'),
  ]
  const { today, yesterday, earlier } = divideByDay(meetings, Date.parse('2026-11-17T16:30'))
  assert.deepEqual(today, meetings.slice(1, 3))
  assert.deepEqual(yesterday, meetings.slice(3, 5))
  assert.deepEqual(earlier, meetings.slice(5))
})

test('on the first day of a month, yesterday is the last day of the month before', () => {
  const meetings = [at('2026-02-28T12:00'), at('2026-02-27T12:00')]
  const { yesterday, earlier } = divideByDay(meetings, Date.parse('2026-03-01T00:10'))
  assert.deepEqual([yesterday, earlier], [[meetings[0]], [meetings[1]]])
})

test('the day of the oldest meeting may have more of them on the next page', () => {
  const now = Date.parse('2026-11-17T16:30')
  const find = (...times: string[]) =>
    findIncompleteDay(
      divideByDay(
        times.map((time) => at(time)),
        now,
      ),
    )
  assert.equal(find('2026-11-17T15:00'), 'today')
  assert.equal(find('2026-11-17T15:00', '2026-11-16T15:00'), 'yesterday')
  assert.equal(find('2026-11-17T15:00', '2026-11-15T15:00'), null)
  assert.equal(find(), 'today')
})
