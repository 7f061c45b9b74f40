import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parseRetryAfterMs } from './retry-after.ts'

const CLOCK = { now: () => new Date('2026-11-15T12:00:00.000Z') }
const DAY_MS = 24 * 3_600_000

test('Retry-After is parsed as seconds or as a date', () => {
  const cases: Array<[string | undefined, number | null]> = [
    ['120', 120_000],
    [' 0 ', 0],
    ['99999999999999999999999', DAY_MS],
    ['Sun, 15 Nov 2026 12:01:00 GMT', 60_000],
    ['Sunday, 15-Nov-26 12:01:00 GMT', 60_000],
    ['Sun Nov 15 12:01:00 2026', 60_000],
    ['Sun, 15 Nov 2026 11:00:00 GMT', 0],
    ['Fri, 31 Dec 2199 23:59:59 GMT', DAY_MS],
    [undefined, null],
    ['', null],
    ['-5', null],
    ['1.5', null],
    ['1e3', null],
    ['soon', null],
    ['2026-11-15', null],
    ['Sun, 99 Nov 2026 12:01:00 GMT', null],
  ]
  for (const [value, expected] of cases) {
    assert.equal(parseRetryAfterMs({ 'retry-after': value }, CLOCK), expected, value)
  }
  assert.equal(parseRetryAfterMs({ 'retry-after': ['7', '9'] }, CLOCK), 7_000)
})

test('a Retry-After date is relative to the Date header of the response', () => {
  const headers = {
    'retry-after': 'Sun, 15 Nov 2026 18:00:30 GMT',
    date: 'Sun, 15 Nov 2026 18:00:00 GMT',
  }
  assert.equal(parseRetryAfterMs(headers, CLOCK), 30_000)
})
