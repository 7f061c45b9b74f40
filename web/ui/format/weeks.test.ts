import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { addDays, formatWeek, mondayOf } from './weeks.ts'

test('a week begins on Monday, also over the end of a month and a year', () => {
  assert.equal(mondayOf('2026-11-16'), '2026-11-16')
  assert.equal(mondayOf('2026-11-22'), '2026-11-16')
  assert.equal(mondayOf('2027-01-01'), '2026-12-28')
  assert.equal(addDays('2026-11-30', 7), '2026-12-07')
})

test('weeks near now have a name, others the date of their Monday', () => {
  const today = '2026-11-19'
  assert.equal(formatWeek('2026-11-16', today), 'This week')
  assert.equal(formatWeek('2026-11-09', today), 'Last week')
  assert.equal(formatWeek('2026-11-23', today), 'Next week')
  assert.equal(formatWeek('2026-11-02', today), 'Week of 2 Nov 2026')
})
