import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { findNextRunDay } from './cron-fields.ts'
import { findNextRunTime, listNextRuns } from './next-run.ts'
import { parseSchedule, type Schedule } from './parse-schedule.ts'

function schedule(expression: string, timeZone: string): Schedule {
  const parsed = parseSchedule(expression, timeZone)
  assert.ok(!Array.isArray(parsed), JSON.stringify(parsed))
  return parsed
}

function runs(expression: string, timeZone: string, after: string, count: number): string[] {
  return listNextRuns(schedule(expression, timeZone), new Date(after), count).map(({ at }) =>
    at.toISOString().replace(':00.000', ''),
  )
}

/** Each row has an expression, a time zone, the start time and the expected runs. */
function assertRows(table: string): void {
  for (const line of table.trim().split('\n')) {
    const [expression = '', timeZone = '', after = '', expected = ''] = line
      .split('|')
      .map((cell) => cell.trim())
    const times = expected.split(' ')
    assert.deepEqual(runs(expression, timeZone, after, times.length), times, line)
  }
}

test('a fixed time that a clock change skips runs once, at the first instant after the gap', () => {
  assertRows(`
    30 2 * * * | Europe/Berlin | 2027-03-27T12:00Z | 2027-03-28T01:00Z 2027-03-29T00:30Z
    30 2 * * * | America/New_York | 2027-03-13T12:00Z | 2027-03-14T07:00Z 2027-03-15T06:30Z
    15 2 * * * | Australia/Lord_Howe | 2027-10-02T12:00Z | 2027-10-02T15:30Z 2027-10-03T15:15Z
    0 0 * * * | Africa/Cairo | 2027-04-29T12:00Z | 2027-04-29T22:00Z 2027-04-30T21:00Z
    45 2 * * * | Pacific/Chatham | 2027-09-25T12:00Z | 2027-09-25T14:00Z 2027-09-26T13:00Z
    0 0 * * * | America/Santiago | 2027-09-04T12:00Z | 2027-09-05T04:00Z 2027-09-06T03:00Z
    59 2 28 3 * | Europe/Berlin | 2027-03-28T00:59:59.999Z | 2027-03-28T01:00Z 2028-03-28T00:59Z
  `)
})

test('a zone runs by its newest rules, even where the data of Node is older', () => {
  assertRows(`
    0 9 * * * | America/Winnipeg | 2026-10-30T12:00Z | 2026-10-30T14:00Z 2026-10-31T14:00Z 2026-11-01T14:00Z 2026-11-02T14:00Z
    0 9 * * * | America/Winnipeg | 2027-01-15T00:00Z | 2027-01-15T14:00Z
    0 9 * * * | America/Havana | 2026-11-15T00:00Z | 2026-11-15T13:00Z
    0 9 * * * | America/Havana | 2027-11-06T12:00Z | 2027-11-06T13:00Z 2027-11-07T14:00Z
  `)
})

test('a run that a clock change moves past midnight counts for its original day', () => {
  assertRows(`
    30 23 * * 6 | America/Nuuk | 2027-03-26T12:00Z | 2027-03-28T01:00Z 2027-04-04T00:30Z
    30 23 * * 0 | America/Nuuk | 2027-03-26T12:00Z | 2027-03-29T00:30Z
    0 9 * * * | Pacific/Apia | 2011-12-29T20:00Z | 2011-12-30T10:00Z 2011-12-30T19:00Z
    0 0 * * * | Pacific/Apia | 2011-12-29T20:00Z | 2011-12-30T10:00Z 2011-12-31T10:00Z
  `)
})

test('a fixed time that a clock change repeats runs the first time only', () => {
  assertRows(`
    30 2 * * * | Europe/Berlin | 2027-10-30T12:00Z | 2027-10-31T00:30Z 2027-11-01T01:30Z
    30 2 * * * | Europe/Berlin | 2027-10-31T00:45Z | 2027-11-01T01:30Z
    0 2 * * * | Europe/Berlin | 2027-10-30T12:00Z | 2027-10-31T00:00Z 2027-11-01T01:00Z
    0 3 * * * | Europe/Berlin | 2027-10-30T12:00Z | 2027-10-31T02:00Z 2027-11-01T02:00Z
    30 1 * * * | America/New_York | 2027-11-06T12:00Z | 2027-11-07T05:30Z 2027-11-08T06:30Z
    45 1 * * * | Australia/Lord_Howe | 2027-04-03T12:00Z | 2027-04-03T14:45Z 2027-04-04T15:15Z
    30 23 * * * | America/Santiago | 2027-04-03T12:00Z | 2027-04-04T02:30Z 2027-04-05T03:30Z
  `)
})

test('a schedule with several times a day follows the wall clock through clock changes', () => {
  assertRows(`
    30 * * * * | Europe/Berlin | 2027-03-28T00:00Z | 2027-03-28T00:30Z 2027-03-28T01:30Z 2027-03-28T02:30Z
    30 2,4 * * * | Europe/Berlin | 2027-03-28T00:00Z | 2027-03-28T02:30Z 2027-03-29T00:30Z
    30-31 2 * * * | Europe/Berlin | 2027-03-27T12:00Z | 2027-03-29T00:30Z 2027-03-29T00:31Z
    30 1,2,3 * * * | Europe/Berlin | 2027-10-30T12:00Z | 2027-10-30T23:30Z 2027-10-31T00:30Z 2027-10-31T01:30Z 2027-10-31T02:30Z
    */15 * * * * | Australia/Lord_Howe | 2027-04-03T14:20Z | 2027-04-03T14:30Z 2027-04-03T14:45Z 2027-04-03T15:00Z 2027-04-03T15:15Z 2027-04-03T15:30Z
    30 22,23 * * * | America/Santiago | 2027-04-03T22:00Z | 2027-04-04T01:30Z 2027-04-04T02:30Z 2027-04-04T03:30Z 2027-04-05T02:30Z
  `)
})

test('runs stay in order when clocks are set back past midnight', () => {
  assertRows(`
    0,30 0,23 * * * | America/St_Johns | 2010-11-07T01:45Z | 2010-11-07T02:00Z 2010-11-07T02:30Z 2010-11-07T03:00Z 2010-11-07T03:30Z 2010-11-07T04:00Z
  `)
})

test('schedules work in zones with unusual offsets and without clock changes', () => {
  assertRows(`
    30 9 * * * | Asia/Kolkata | 2027-06-01T00:00Z | 2027-06-01T04:00Z 2027-06-02T04:00Z
    30 9 * * * | UTC | 2027-06-01T00:00Z | 2027-06-01T09:30Z 2027-06-02T09:30Z
    0 12 * * * | Asia/Kathmandu | 2027-06-01T00:00Z | 2027-06-01T06:15Z
    0 0 * * * | Pacific/Kiritimati | 2027-06-01T12:00Z | 2027-06-02T10:00Z
    0 0 * * * | Etc/GMT+12 | 2027-06-01T11:00Z | 2027-06-01T12:00Z
  `)
})

test('a schedule skips months that do not have the day', () => {
  assertRows(`
    0 0 1,31 * * | UTC | 2027-01-31T00:00Z | 2027-02-01T00:00Z 2027-03-01T00:00Z 2027-03-31T00:00Z 2027-04-01T00:00Z 2027-05-01T00:00Z
    0 0 1,29-31 * * | UTC | 2027-02-02T00:00Z | 2027-03-01T00:00Z 2027-03-29T00:00Z
    0 0 1,30 2,3 * | UTC | 2027-02-01T00:00Z | 2027-03-01T00:00Z 2027-03-30T00:00Z 2028-02-01T00:00Z
    0 0 31 * * | Europe/Berlin | 2027-03-31T00:00Z | 2027-05-30T22:00Z 2027-07-30T22:00Z
  `)
})

test('29 February is found years ahead, also across a century year without one', () => {
  assertRows(`
    0 0 29 2 * | UTC | 2027-03-01T00:00Z | 2028-02-29T00:00Z 2032-02-29T00:00Z
    0 0 29 2 * | UTC | 2096-03-01T00:00Z | 2104-02-29T00:00Z
    0 0 29 2 * | UTC | 1999-03-01T00:00Z | 2000-02-29T00:00Z
    0 12 28-29 FEB * | Asia/Tokyo | 2027-12-01T00:00Z | 2028-02-28T03:00Z 2028-02-29T03:00Z 2029-02-28T03:00Z
  `)
})

test('a day that matches either restricted day field is a run day, and a step is a restriction', () => {
  assertRows(`
    0 0 13 * FRI | UTC | 2027-08-06T00:00Z | 2027-08-13T00:00Z 2027-08-20T00:00Z 2027-08-27T00:00Z 2027-09-03T00:00Z 2027-09-10T00:00Z 2027-09-13T00:00Z
    0 0 */15 * MON | UTC | 2027-08-01T12:00Z | 2027-08-02T00:00Z 2027-08-09T00:00Z 2027-08-16T00:00Z
    0 0 * * 7 | UTC | 2027-08-01T12:00Z | 2027-08-08T00:00Z
    0 0 * * 0 | UTC | 2027-08-01T12:00Z | 2027-08-08T00:00Z
    0 0 * * 5-7 | UTC | 2027-08-01T12:00Z | 2027-08-06T00:00Z 2027-08-07T00:00Z 2027-08-08T00:00Z 2027-08-13T00:00Z
  `)
})

test('findNextDate finds the last day of its range and none after it', () => {
  const sundays = { days: null, months: new Set([1]), weekdays: new Set([0]) }
  assert.equal(findNextRunDay(sundays, 0, 3), 3)
  assert.equal(findNextRunDay(sundays, 0, 2), null)
  assert.equal(findNextRunDay(sundays, 31, 364), null)
})

test('the next run is always later than the given time', () => {
  const minutely = schedule('* * * * *', 'UTC')
  const seek = (after: string) => findNextRunTime(minutely, new Date(after))?.toISOString()
  assert.equal(seek('2027-01-01T00:00:00.000Z'), '2027-01-01T00:01:00.000Z')
  assert.equal(seek('2026-12-31T23:59:59.999Z'), '2027-01-01T00:00:00.000Z')
  assert.equal(seek('1969-12-31T23:59:59.999Z'), '1970-01-01T00:00:00.000Z')
})

test('an invalid date throws, and the latest possible date has no next run', () => {
  const minutely = schedule('* * * * *', 'Europe/Berlin')
  assert.throws(() => findNextRunTime(minutely, new Date(NaN)), RangeError)
  assert.equal(findNextRunTime(minutely, new Date(8.64e15)), null)
  assert.equal(findNextRunTime(minutely, new Date(-8.64e15)), null)
  assert.deepEqual(listNextRuns(minutely, new Date(8.64e15), 3), [])
  assert.deepEqual(listNextRuns(minutely, new Date(0), 0), [])
})

test('a schedule is a fixed time when minute and hour are single numbers', () => {
  const table = {
    '30 2 * * *': true,
    '00 02 1 * MON': true,
    '30-30 2 * * *': false,
    '30 2,2 * * *': false,
    '30 */24 * * *': false,
    '* 2 * * *': false,
  }
  for (const [expression, expected] of Object.entries(table)) {
    assert.equal(schedule(expression, 'UTC').isFixedTime, expected, expression)
  }
})

test('a run has a note when a clock change affects it', () => {
  const notes = (expression: string, after: string, count: number) =>
    listNextRuns(schedule(expression, 'Europe/Berlin'), new Date(after), count).map(
      ({ note }) => note,
    )
  assert.deepEqual(notes('30 2 * * *', '2027-03-26T12:00Z', 3), [
    null,
    'The clocks go forward from 02:00 to 03:00 and skip 02:30: runs at 03:00 instead',
    null,
  ])
  assert.deepEqual(notes('30 2 * * *', '2027-10-29T12:00Z', 3), [
    null,
    'The clocks go back and show 02:30 twice: runs the first time only',
    null,
  ])
  assert.deepEqual(notes('30 2-3 * * *', '2027-10-30T12:00Z', 3), [
    'The clocks go back and show 02:30 twice: runs both times, this is the first',
    'The clocks go back and show 02:30 twice: runs both times, this is the second',
    null,
  ])
  assert.deepEqual(notes('0 3 * * *', '2027-03-27T12:00Z', 1), [null])
})
