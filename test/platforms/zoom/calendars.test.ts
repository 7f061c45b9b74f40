import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { ApiCalendarPreview } from '../../../src/http/shapes/calendars.ts'
import { startCalendarWorld } from '../../support/calendars/calendar-world.ts'
import { eventually } from '../../support/time/eventually.ts'
import { ZOOM_SETTINGS } from '../../support/zoom/webhooks.ts'

test('links of Zoom meetings in a calendar are found, and the meeting waits for its number', async () => {
  await using world = await startCalendarWorld(ZOOM_SETTINGS)
  const { session } = await world.addUser()
  const link = 'https://acme.zoom.us/j/81234567890?pwd=abc.1'
  world.serve('/zoom', [
    { uid: 'a', start: world.inMinutes(4), link },
    // The same meeting, by another link.
    { uid: 'b', start: world.inMinutes(5), link: 'https://us02web.zoom.us/j/81234567890' },
    { uid: 'c', start: world.inMinutes(90), link: 'https://zoom.us/my/ana' },
  ])
  const { body } = await world.call(session, 'POST', '/web/calendars/preview', {
    url: world.feeds.urlOf('/zoom'),
  })
  const { meetings } = body as ApiCalendarPreview
  assert.deepEqual(
    meetings.map(({ platform, reason }) => [platform, reason]),
    [
      ['zoom', 'will_join'],
      ['zoom', 'same_room'],
      [null, 'no_link'],
    ],
  )
  await world.addCalendar(session, '/zoom')
  // Its bot is planned five minutes before the start.
  const meeting = await eventually(
    async () =>
      (await world.db.selectFrom('meeting').select(['platform', 'room']).executeTakeFirst()) ??
      null,
  )
  assert.deepEqual(meeting, { platform: 'zoom', room: 'zoom/81234567890' })
})
