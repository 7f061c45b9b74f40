import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { scaleRuns } from '../../../test/support/test-size.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time/durations.ts'
import { WEEKDAYS } from './choice-names.ts'
import {
  addDays,
  findDigestPeriod,
  findNextDigestTime,
  listDigestPeriods,
  type DigestSchedule,
} from './digest-schedule.ts'

const DAILY: DigestSchedule = {
  frequency: 'daily',
  weekday: 'monday',
  hour: 8,
  timeZone: 'Europe/Berlin',
}

function describePeriod(schedule: DigestSchedule, now: string) {
  const { day, from, to } = findDigestPeriod(schedule, new Date(now))
  return [day, from.toISOString(), to.toISOString()]
}

test('a daily digest covers the day until its hour in the time zone of the person', () => {
  assert.deepEqual(describePeriod(DAILY, '2026-11-19T07:00:00Z'), [
    '2026-11-19',
    '2026-11-18T07:00:00.000Z',
    '2026-11-19T07:00:00.000Z',
  ])
  assert.equal(describePeriod(DAILY, '2026-11-19T06:59:59Z')[0], '2026-11-18')
  const far = { ...DAILY, timeZone: 'Pacific/Kiritimati' }
  assert.deepEqual(describePeriod(far, '2026-11-18T18:00:00Z').slice(0, 1), ['2026-11-19'])
})

test('a weekly digest covers the week until its day and hour', () => {
  const schedule = { ...DAILY, frequency: 'weekly', weekday: 'friday' } as const
  assert.deepEqual(describePeriod(schedule, '2026-11-19T12:00:00Z'), [
    '2026-11-13',
    '2026-11-06T07:00:00.000Z',
    '2026-11-13T07:00:00.000Z',
  ])
  const next = findNextDigestTime(schedule, new Date('2026-11-19T12:00:00Z'))
  assert.equal(next.toISOString(), '2026-11-20T07:00:00.000Z')
})

test('clock changes make a period an hour longer or shorter, and a skipped or repeated hour has one digest', () => {
  // Berlin: back on 25 October 2026 at 3:00, forward on 28 March 2027 at 2:00.
  assert.deepEqual(describePeriod(DAILY, '2026-10-25T12:00:00Z').slice(1), [
    '2026-10-24T06:00:00.000Z',
    '2026-10-25T07:00:00.000Z',
  ])
  const atTwo = { ...DAILY, hour: 2 }
  assert.equal(
    findNextDigestTime(atTwo, new Date('2027-03-27T12:00:00Z')).toISOString(),
    '2027-03-28T01:00:00.000Z',
  )
  const first = findNextDigestTime(atTwo, new Date('2026-10-24T12:00:00Z'))
  assert.equal(first.toISOString(), '2026-10-25T00:00:00.000Z')
  assert.equal(findNextDigestTime(atTwo, first).toISOString(), '2026-10-26T01:00:00.000Z')
})

test('in every time zone, periods follow each other without gap or overlap', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  fc.assert(
    fc.property(
      fc.record({
        frequency: fc.constantFrom('daily' as const, 'weekly' as const),
        weekday: fc.constantFrom(...WEEKDAYS),
        hour: fc.integer({ min: 0, max: 23 }),
        timeZone: fc.constantFrom(...zones),
      }),
      fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
      (schedule, now) => {
        const [newest, ...older] = listDigestPeriods(schedule, now, 4)
        assert.ok(newest !== undefined && newest.to <= now)
        const next = findNextDigestTime(schedule, now)
        assert.ok(next > now)
        assert.deepEqual(findDigestPeriod(schedule, next).from, newest.to)
        let later = newest
        for (const period of older) {
          assert.deepEqual(period.to, later.from)
          later = period
        }
        const days = schedule.frequency === 'weekly' ? 7 : 1
        for (const { from, to } of [newest, ...older])
          assert.ok(Math.abs(to.getTime() - from.getTime() - days * DAY_MS) <= 2 * HOUR_MS)
      },
    ),
    { numRuns: scaleRuns(2_400) },
  )
})

test('days are added across months', () => {
  assert.equal(addDays('2026-11-29', 7), '2026-12-06')
  assert.equal(addDays('2026-03-01', -30), '2026-01-30')
})
