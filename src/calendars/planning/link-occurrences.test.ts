import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Occurrence } from '../ics/events.ts'
import { toStorableOccurrence } from './link-occurrences.ts'

const PLAIN: Occurrence = {
  uid: 'a@example.com',
  key: 'once',
  startsAt: new Date('2026-11-17T09:00:00Z'),
  endsAt: new Date('2026-11-17T10:00:00Z'),
  isAllDay: false,
  title: 'Review',
  organizer: 'ada@example.com',
  attendees: [{ address: 'ben@example.com', response: null }],
  links: [],
  isCancelled: false,
  sequence: 0,
}

test('an ordinary occurrence stays as it is', () => {
  assert.deepEqual(toStorableOccurrence(PLAIN), PLAIN)
})

test('ids that are too long or cannot be stored become short and stay different', () => {
  const ids = ['x'.repeat(5_000), 'x'.repeat(5_001), 'a\0', 'a\ud800', 'a'].map(
    (uid) => toStorableOccurrence({ ...PLAIN, uid }).uid,
  )
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.ok(id.length <= 300 && id.isWellFormed() && !id.includes('\0'))
})

test('titles and addresses are shortened, and have no characters that the database refuses', () => {
  const hostile = `${'x'.repeat(199)}\u{1F600}\0`
  const stored = toStorableOccurrence({
    ...PLAIN,
    title: hostile,
    organizer: 'a\0b',
    attendees: Array.from({ length: 1_000 }, () => ({ address: '\ud800', response: null })),
  })
  assert.equal(stored.title, `${'x'.repeat(199)}\ufffd`)
  assert.equal(stored.organizer, 'ab')
  assert.deepEqual([stored.attendees.length, stored.attendees[0]?.address], [500, '\ufffd'])
})
