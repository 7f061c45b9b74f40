import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { listMeetingRows } from './output.ts'

test('meetings are listed at the time on the clock of the person', () => {
  const meeting = { title: 'Fair', willJoin: false, reasonText: 'All-day events are not joined' }
  // Midnight in Zurich, which is still the day before in UTC.
  const meetings = [{ ...meeting, startsAt: '2026-11-16T23:00:00.000Z' }]
  assert.deepEqual(listMeetingRows(meetings, 'Europe/Zurich'), {
    headings: ['START (Europe/Zurich)', '', 'TITLE', 'REASON'],
    rows: [['2026-11-17 00:00', 'skip', 'Fair', 'All-day events are not joined']],
  })
  assert.equal(listMeetingRows(meetings, 'America/New_York').rows[0]?.[0], '2026-11-16 18:00')
})
