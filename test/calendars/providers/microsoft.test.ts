import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  addProviderCalendar,
  listReasons,
  outlookEvent,
  pollAgain,
  startAccountWorld,
} from '../../support/calendar-accounts/account-world.ts'
import { openForFile } from '../../support/open-for-file.ts'

const opened = openForFile(() => startAccountWorld())
const TEAMS =
  'https://teams.microsoft.com/l/meetup-join/19%3ameeting_QUFB%40thread.v2/0?context=%7b%22Tid%22%3a%223f2b8a1c-0d4e-4f5a-9b6c-7d8e9f0a1b2c%22%2c%22Oid%22%3a%22a1b2c3d4-e5f6-4a5b-8c7d-9e0f1a2b3c4d%22%7d'
const UID = '040000008200E00074C5B7101A82E008'
const uidOf = (day: string) => `${UID}${day}A0B1C2D3E4F5`

test('a calendar of Outlook is planned by the own fields of its events, and follows its changes', async () => {
  const { clock, outlook, addPerson, db } = opened()
  const person = await addPerson()
  const { events } = outlook
  const at = (minutes: number) => ({ clock, minutes })
  const online = { onlineMeeting: { joinUrl: TEAMS }, isOnlineMeeting: true }
  events.put('one', outlookEvent(at(60), 'Review', { ...online, iCalUId: uidOf('00000000') }))
  events.put(
    'two',
    outlookEvent(at(120), 'Declined', { ...online, responseStatus: { response: 'declined' } }),
  )
  events.put('three', outlookEvent(at(180), 'Private', { ...online, sensitivity: 'private' }))
  events.put('four', outlookEvent(at(240), 'Called off', { ...online, isCancelled: true }))
  // The occurrences of a series that are like it have only their times.
  events.put(
    'series',
    outlookEvent(at(-10_000), 'Weekly', {
      ...online,
      type: 'seriesMaster',
      iCalUId: uidOf('00000000'),
    }),
  )
  for (const [index, id] of ['first', 'second'].entries())
    events.put(id, {
      ...outlookEvent(at(1_440 * (index + 1)), ''),
      subject: undefined,
      type: 'occurrence',
      seriesMasterId: 'series',
    })
  const calendar = await addProviderCalendar(opened(), person, 'microsoft', {
    subject: 'ada@example.com',
  })
  assert.deepEqual(
    [calendar.kind, calendar.problem, calendar.address],
    ['microsoft', null, 'ada@example.com'],
  )
  assert.deepEqual(await listReasons(person.client), [
    'Review: will_join',
    'Declined: declined',
    'Private: private',
    'Called off: cancelled',
    'Weekly: will_join',
    'Weekly: will_join',
  ])
  const rows = () =>
    db
      .selectFrom('occurrence')
      .select(['id', 'uid', 'key', 'title', 'join_url'])
      .where('calendar_id', '=', calendar.id)
      .where('title', 'like', 'Weekly%')
      .orderBy('key')
      .execute()
  const before = await rows()
  assert.deepEqual(
    before.map(({ uid, join_url }) => [uid, join_url]),
    [
      [uidOf('00000000'), TEAMS],
      [uidOf('00000000'), TEAMS],
    ],
  )
  // An exception has all fields, and the day of its occurrence in its id.
  const originalStart = before[0]?.key ?? ''
  events.put('first', {
    ...outlookEvent(at(2_000), 'Weekly, moved', { ...online, iCalUId: uidOf('083B0B10') }),
    type: 'exception',
    seriesMasterId: 'series',
    originalStart,
  })
  events.remove('second')
  await pollAgain(opened(), person.client, calendar.id)
  const after = await rows()
  assert.deepEqual(
    after.map(({ id, uid, key, title }) => [id, uid, key, title]),
    [[before[0]?.id, uidOf('00000000'), originalStart, 'Weekly, moved']],
  )
  const links = outlook.requests.filter(({ path }) => path.includes('calendarView/delta'))
  assert.deepEqual(
    links.map(({ path }) => (path.includes('$deltatoken') ? 'changes' : 'full')),
    ['full', 'changes'],
  )
  // Too old a delta token.
  outlook.oldestDelta = events.version() + 1
  const { problem } = await pollAgain(opened(), person.client, calendar.id)
  outlook.oldestDelta = 0
  assert.equal(problem, null)
  assert.deepEqual(await rows(), after)
})

test('a link of the provider that leads to another host is not followed with the token', async () => {
  const { outlook, addPerson } = opened()
  const person = await addPerson()
  outlook.fault = ({ path }) =>
    path.includes('calendarView/delta')
      ? {
          status: 200,
          body: {
            value: [],
            '@odata.nextLink': 'http://127.0.0.1:9/v1.0/me/calendarView/delta?x=1',
          },
        }
      : undefined
  const { problem } = await addProviderCalendar(opened(), person, 'microsoft', {
    subject: 'links@example.com',
  })
  outlook.fault = null
  assert.match(problem ?? '', /does not understand \(a link\)/)
})
