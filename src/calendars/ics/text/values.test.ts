import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parseDuration, parseUtcOffset, parseWallTime, unescapeText } from './values.ts'

const HOUR = 3_600_000

test('escapes in the texts of a feed are undone once', () => {
  assert.equal(unescapeText('a\\, b\\; c\\nd\\Ne \\\\n'), 'a, b; c\nd\ne \\n')
})

test('dates and times of a feed are read as times on the clock', () => {
  assert.deepEqual(parseWallTime('20261117'), {
    wall: Date.UTC(2026, 10, 17),
    isDate: true,
    isUtc: false,
  })
  assert.deepEqual(parseWallTime('20261117T093000Z'), {
    wall: Date.UTC(2026, 10, 17, 9, 30),
    isDate: false,
    isUtc: true,
  })
  assert.equal(parseWallTime('20261117T235960')?.wall, Date.UTC(2026, 10, 17, 23, 59, 59))
})

test('dates that do not exist are rejected', () => {
  const texts = [
    '20260230',
    '20261301',
    '20260100',
    '00010101',
    '20261117T250000',
    '2026-11-17',
    '',
  ]
  for (const text of texts) assert.equal(parseWallTime(text), null, text)
})

test('a duration counts days apart from hours', () => {
  assert.deepEqual(parseDuration('P1DT2H30M'), { days: 1, ms: 2.5 * HOUR })
  assert.deepEqual(parseDuration('P2W'), { days: 14, ms: 0 })
  for (const text of ['-PT1H', '1H', 'PT1D', '']) assert.equal(parseDuration(text), null, text)
})

test('UTC offsets of a VTIMEZONE may have seconds', () => {
  assert.equal(parseUtcOffset('+0530'), 5.5 * HOUR)
  assert.equal(parseUtcOffset('-001730'), -(17.5 * 60_000))
  for (const text of ['0530', '+5', '+9900', '']) assert.equal(parseUtcOffset(text), null, text)
})
