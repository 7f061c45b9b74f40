import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { formatAbsolute, formatAgo, formatNear, formatRelative, formatSince } from './time-texts.ts'

const NOW = Date.parse('2026-11-16T15:15:59.000Z')
const after = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()

test('a time with seconds names its minute once', () => {
  assert.match(formatAbsolute(after(0), 'second'), /^1[5-7] Nov 2026, \d\d:\d\d:59$/)
  assert.match(formatAbsolute(after(0), 'minute'), /^1[5-7] Nov 2026, \d\d:\d\d$/)
  assert.match(formatAbsolute(after(0), 'day'), /^1[5-7] Nov 2026$/)
})

test('a relative time uses the largest unit that fits', () => {
  assert.equal(formatRelative(after(-5), NOW), 'just now')
  assert.equal(formatRelative(after(5), NOW), 'in less than a minute')
  assert.equal(formatRelative(after(-120), NOW), '2 minutes ago')
  assert.equal(formatRelative(after(86_400), NOW), 'tomorrow')
})

test('a near time names the day as people do, and the year only if it is another one', () => {
  const now = new Date(2026, 10, 17, 18).getTime()
  const at = (...parts: [number, number, number, number, number]) =>
    formatNear(new Date(...parts).toISOString(), now)
  assert.equal(at(2026, 10, 17, 19, 47), 'Today, 19:47')
  assert.equal(at(2026, 10, 17, 0, 0), 'Today, 00:00')
  assert.equal(at(2026, 10, 18, 17, 0), 'Tomorrow, 17:00')
  assert.equal(at(2026, 10, 16, 23, 59), 'Yesterday, 23:59')
  const since = (day: number) => formatSince(new Date(2026, 10, day, 7, 29).toISOString(), now)
  assert.deepEqual([17, 16, 15].map(since), ['07:29', 'yesterday, 07:29', '15 Nov, 07:29'])
  assert.equal(at(2026, 10, 20, 9, 5), '20 Nov, 09:05')
  assert.equal(at(2027, 0, 4, 9, 5), '4 Jan 2027, 09:05')
})

test('what has happened is never in the future, even if the clock of the browser is behind', () => {
  for (const seconds of [-5, 0, 5, 50, 90, 7200]) {
    assert.equal(formatAgo(after(seconds), NOW), 'just now')
  }
  assert.equal(formatAgo(after(-7200), NOW), '2 hours ago')
})
