import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { formatTimeRange, groupByDay, isInProgress } from './upcoming-days.ts'

// Thirteen hours ahead of UTC in November, so that its days differ from days in UTC.
const timeZone = 'Pacific/Auckland'
/** 18 November, 09:00 in Auckland. */
const now = Date.parse('2026-11-17T20:00:00Z')

function timed(startsAt: string, endsAt: string | null) {
  return { startsAt, endsAt }
}

test('meetings are grouped by the days of the viewer, and what still lasts is listed today', () => {
  const days = groupByDay(
    [
      timed('2026-11-17T09:00:00Z', '2026-11-17T21:00:00Z'),
      timed('2026-11-17T22:00:00Z', '2026-11-17T22:30:00Z'),
      timed('2026-11-18T10:30:00Z', null),
      timed('2026-11-18T11:30:00Z', null),
      timed('2026-11-20T11:30:00Z', null),
    ],
    { now, timeZone },
  )
  assert.deepEqual(
    days.map(({ day, heading, meetings }) => [day, heading, meetings.length]),
    [
      ['2026-11-18', 'Today, Wednesday 18 November', 3],
      ['2026-11-19', 'Tomorrow, Thursday 19 November', 1],
      ['2026-11-21', 'Saturday 21 November', 1],
    ],
  )
  assert.deepEqual(groupByDay([], { now, timeZone }), [])
})

test('the first of a month is tomorrow on the last day before it', () => {
  const endOfMonth = Date.parse('2026-11-29T20:00:00Z')
  const [day] = groupByDay([timed('2026-11-30T20:00:00Z', null)], { now: endOfMonth, timeZone })
  assert.equal(day?.heading, 'Tomorrow, Tuesday 1 December')
})

test('the times of a meeting are those of the viewer, and a whole day has none', () => {
  const half = timed('2026-11-17T22:00:00Z', '2026-11-17T22:30:00Z')
  assert.equal(formatTimeRange(half, timeZone), '11:00 – 11:30')
  assert.equal(formatTimeRange({ ...half, endsAt: null }, timeZone), '11:00')
  const day = timed('2026-11-17T11:00:00Z', '2026-11-18T11:00:00Z')
  assert.equal(formatTimeRange(day, timeZone), 'All day')
})

test('a meeting is in progress from its start until its end', () => {
  const meeting = timed('2026-11-17T20:00:00Z', '2026-11-17T21:00:00Z')
  assert.equal(isInProgress(meeting, now), true)
  assert.equal(isInProgress(meeting, now - 1), false)
  assert.equal(isInProgress(meeting, now + 3_600_000), false)
  assert.equal(isInProgress({ ...meeting, endsAt: null }, now), false)
})
