import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  addProviderCalendar,
  googleEvent,
  listReasons,
  listUpcoming,
  pollAgain,
  startAccountWorld,
} from '../../support/calendar-accounts/account-world.ts'
import { createEventLog } from '../../support/calendar-accounts/event-log.ts'
import type { GoogleEvent } from '../../support/google-calendar/google-calendar-server.ts'
import { openForFile } from '../../support/open-for-file.ts'
import { IS_FULL_SIZE } from '../../support/test-size.ts'

const opened = openForFile(() => startAccountWorld())

function openCalendar(subject: string) {
  const log = createEventLog<GoogleEvent>()
  opened().google.calendars.set(subject, log)
  return log
}

const MEET = 'https://meet.google.com/abc-defg-hij'

test('events of Google Calendar are planned by their own fields', async () => {
  const { clock, google, addPerson } = opened()
  const person = await addPerson()
  const log = openCalendar('own-fields@example.com')
  const at = (minutes: number) => ({ clock, minutes })
  const video = (uri: string) => ({
    conferenceData: { entryPoints: [{ entryPointType: 'video', uri }] },
  })
  log.put('a', googleEvent(at(60), 'Video', { ...video(MEET), location: 'practice://standup' }))
  log.put(
    'b',
    googleEvent(at(120), 'Hangout', { hangoutLink: 'https://meet.google.com/bcd-efgh-ijk' }),
  )
  log.put(
    'c',
    googleEvent(at(180), 'Text', { description: 'See https://meet.google.com/cde-fghi-jkl' }),
  )
  log.put('d', googleEvent(at(240), 'No link'))
  log.put(
    'e',
    googleEvent(at(300), 'Declined', {
      hangoutLink: MEET,
      attendees: [{ email: 'alias@example.com', self: true, responseStatus: 'declined' }],
    }),
  )
  log.put('f', googleEvent(at(360), 'Secret', { hangoutLink: MEET, visibility: 'private' }))
  log.put('g', {
    ...googleEvent(at(0), 'Day', { hangoutLink: MEET }),
    start: { date: '2099-11-17' },
    end: { date: '2099-11-18' },
  })
  const calendar = await addProviderCalendar(opened(), person, 'google', {
    subject: 'own-fields@example.com',
    timeZone: 'Europe/Zurich',
  })
  assert.deepEqual(
    [calendar.kind, calendar.problem, calendar.address, calendar.rules.neverPrivate],
    ['google', null, 'own-fields@example.com', true],
  )
  assert.deepEqual(await listReasons(person.client), [
    'Video: will_join',
    'Hangout: will_join',
    'Text: will_join',
    'No link: no_link',
    'Declined: declined',
    'Secret: private',
    'Day: all_day',
  ])
  const [video1] = await listUpcoming(person.client)
  assert.equal(video1?.platform, 'google_meet')
  const row = await opened()
    .db.selectFrom('occurrence')
    .select(['join_url', 'own_response', 'uid', 'key'])
    .where('calendar_id', '=', calendar.id)
    .where('title', '=', 'Video')
    .executeTakeFirstOrThrow()
  assert.deepEqual(row, {
    join_url: MEET,
    own_response: null,
    uid: 'Video@google.com',
    key: 'once',
  })
  assert.equal(google.requests.filter(({ path }) => path.includes('/events?')).length, 1)
})

test('moved, changed, cancelled and new occurrences follow the changes alone', async () => {
  const { clock, google, addPerson, db } = opened()
  const person = await addPerson()
  const subject = 'changes@example.com'
  const log = openCalendar(subject)
  const occurrence = (id: string, minutes: number, fields = {}) =>
    googleEvent({ clock, minutes }, `Weekly ${id}`, {
      recurringEventId: 'weekly',
      iCalUID: 'weekly@google.com',
      originalStartTime: googleEvent({ clock, minutes }, '').start,
      hangoutLink: `https://meet.google.com/aaa-aaaa-aa${id}`,
      ...fields,
    })
  for (const [index, id] of ['a', 'b', 'c'].entries())
    log.put(id, occurrence(id, 1_440 * (index + 1)))
  const { id } = await addProviderCalendar(opened(), person, 'google', { subject })
  const keys = () =>
    db
      .selectFrom('occurrence')
      .select(['id', 'uid', 'key', 'starts_at', 'title'])
      .where('calendar_id', '=', id)
      .orderBy('key')
      .execute()
  const before = await keys()
  assert.equal(before.length, 3)
  // A poll without changes asks only for changes, and stores no plan.
  await pollAgain(opened(), person.client, id)
  const listed = () =>
    google.requests.filter(({ path }) =>
      path.startsWith(`/calendar/v3/calendars/${subject}/events?`),
    )
  assert.match(listed().at(-1)?.path ?? '', /syncToken=3/)
  const start = before[0]?.starts_at ?? new Date()
  const moved = new Date(start.getTime() + 3_600_000)
  log.put('a', {
    ...occurrence('a', 0),
    originalStartTime: { dateTime: start.toISOString() },
    start: { dateTime: moved.toISOString() },
    end: { dateTime: new Date(moved.getTime() + 60_000).toISOString() },
  })
  log.remove('b')
  log.put('d', googleEvent({ clock, minutes: 30 }, 'New', { hangoutLink: MEET }))
  await pollAgain(opened(), person.client, id)
  const after = await keys()
  assert.deepEqual(
    after.map(({ title }) => title),
    ['Weekly a', 'Weekly c', 'New'],
  )
  assert.deepEqual(
    [after[0]?.id, after[0]?.key, after[0]?.starts_at],
    [before[0]?.id, before[0]?.key, moved],
  )
  // A deleted series is reported by its own id.
  log.remove('weekly')
  await pollAgain(opened(), person.client, id)
  assert.deepEqual(await listReasons(person.client), ['New: will_join'])
})

test('a sync token that is too old leads to a full read without doubles, and decisions stay', async () => {
  const { clock, google, addPerson, db } = opened()
  const person = await addPerson()
  const subject = 'gone@example.com'
  const log = openCalendar(subject)
  log.put('a', googleEvent({ clock, minutes: 60 }, 'Kept', { hangoutLink: MEET }))
  log.put('b', googleEvent({ clock, minutes: 120 }, 'Dropped', { hangoutLink: MEET }))
  const { id } = await addProviderCalendar(opened(), person, 'google', { subject })
  const [kept] = await listUpcoming(person.client)
  await person.client.request('PATCH', `/web/upcoming/${kept?.id ?? ''}`, { attend: false }, {})
  log.remove('b')
  google.oldestSync = log.version() + 1
  const calendar = await pollAgain(opened(), person.client, id)
  google.oldestSync = 0
  assert.equal(calendar.problem, null)
  assert.deepEqual(await listReasons(person.client), ['Kept: skipped_by_person'])
  const stored = await db
    .selectFrom('calendar_event')
    .select('event_id')
    .where('calendar_id', '=', id)
    .execute()
  assert.deepEqual(stored, [{ event_id: 'a' }])
})

const MANY = IS_FULL_SIZE ? 10_000 : 2_500

test('thousands of events are read page by page, and the next two thousand meetings are planned', async () => {
  const { clock, google, addPerson, db } = opened()
  const person = await addPerson()
  const subject = 'many@example.com'
  const log = openCalendar(subject)
  for (let i = 0; i < MANY; i += 1)
    log.put(`e${i}`, googleEvent({ clock, minutes: 20_000 - i }, `Event ${i}`))
  const { id, problem } = await addProviderCalendar(opened(), person, 'google', { subject })
  assert.equal(problem, 'Only the first 2,000 meetings of the planned weeks are used.')
  const pages = google.requests.filter(({ path }) => path.includes(`${subject}/events?`))
  assert.equal(pages.length, MANY / 250)
  const count = async (table: 'calendar_event' | 'occurrence') =>
    Number(
      (
        await db
          .selectFrom(table)
          .select((eb) => eb.fn.countAll().as('count'))
          .where('calendar_id', '=', id)
          .executeTakeFirstOrThrow()
      ).count,
    )
  assert.deepEqual([await count('calendar_event'), await count('occurrence')], [MANY, 2_000])
})

// The last test, because its time ends the sessions of the others.
test('after twenty hours the calendar is read in full, so that new days are planned', async () => {
  const { clock, addPerson } = opened()
  const person = await addPerson()
  const subject = 'window@example.com'
  const log = openCalendar(subject)
  log.put('a', googleEvent({ clock, minutes: 15 * 1_440 + 600 }, 'Far', { hangoutLink: MEET }))
  const { id } = await addProviderCalendar(opened(), person, 'google', { subject })
  const from = new Date(clock.now().getTime() + 14 * 86_400_000).toISOString()
  const to = new Date(clock.now().getTime() + 20 * 86_400_000).toISOString()
  const far = async () => {
    const { body } = await person.client.get(`/web/upcoming?from=${from}&to=${to}`)
    return (body['upcoming'] as unknown[]).length
  }
  await pollAgain(opened(), person.client, id, 3_600)
  assert.equal(await far(), 0)
  await pollAgain(opened(), person.client, id, 9 * 3_600)
  assert.equal(await far(), 0)
  await pollAgain(opened(), person.client, id, 11 * 3_600)
  assert.equal(await far(), 1)
})
