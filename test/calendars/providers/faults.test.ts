import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  addProviderCalendar,
  getCalendar,
  googleEvent,
  listUpcoming,
  outlookEvent,
  pollAgain,
  startAccountWorld,
} from '../../support/calendar-accounts/account-world.ts'
import { refuse } from '../../support/google-calendar/google-calendar-server.ts'
import { refuse as refuseGraph } from '../../support/microsoft/outlook-server.ts'
import { openForFile } from '../../support/open-for-file.ts'

const opened = openForFile(() => startAccountWorld())
const MEET = 'https://meet.google.com/abc-defg-hij'

const GOOGLE_FAULTS = [
  ['403', refuse(403, 'forbidden'), /does not allow this service to read the calendar/],
  ['403 for too many requests', refuse(403, 'userRateLimitExceeded'), /limits the requests/],
  ['403 for an API that is off', refuse(403, 'accessNotConfigured'), /is not turned on/],
  ['404', refuse(404, 'notFound'), /no longer has this calendar/],
  [
    '429',
    { ...refuse(429, 'rateLimitExceeded'), headers: { 'retry-after': '900' } },
    /limits the requests/,
  ],
  ['500', refuse(500, 'backendError'), /has a problem \(status 500\)/],
  ['a broken connection', 'drop', /cannot be reached: the connection broke off/],
  ['an answer that is not JSON', { status: 200, body: '<html>' }, /does not understand/],
  ['an answer without a token', { status: 200, body: { items: [] } }, /does not understand/],
  ['410 without an end', refuse(410, 'fullSyncRequired'), /does not understand \(status 410\)/],
] as const

test('each fault of Google has its own text, keeps the plan and ends by itself', async () => {
  const { clock, google, addPerson } = opened()
  const person = await addPerson()
  const subject = 'faults@gmail.example'
  const { id } = await addProviderCalendar(opened(), person, 'google', { subject })
  google.calendars
    .get(subject)
    ?.put('a', googleEvent({ clock, minutes: 6 * 1_440 }, 'Planned', { hangoutLink: MEET }))
  await pollAgain(opened(), person.client, id)
  const [before] = await listUpcoming(person.client)
  assert.equal(before?.reason, 'will_join')
  for (const [name, fault, text] of GOOGLE_FAULTS) {
    google.fault = ({ path }) => (path.includes(`${subject}/events?`) ? fault : undefined)
    const { problem, nextPollAt } = await pollAgain(opened(), person.client, id)
    assert.match(problem ?? '', text, name)
    const waitMs = Date.parse(nextPollAt) - clock.now().getTime()
    assert.ok(waitMs >= (name === '429' ? 900_000 : 60_000), name)
    assert.deepEqual(await listUpcoming(person.client), [before], name)
    google.fault = null
    assert.equal((await pollAgain(opened(), person.client, id)).problem, null, name)
  }
})

test('a round of Microsoft that breaks off stores nothing, and the next one has every event once', async () => {
  const { clock, outlook, addPerson, db } = opened()
  const person = await addPerson()
  outlook.pageSize = 2
  for (let i = 0; i < 5; i += 1)
    outlook.events.put(`e${i}`, outlookEvent({ clock, minutes: 60 * (i + 1) }, `Event ${i}`))
  outlook.fault = ({ path }) =>
    path.includes('skiptoken')
      ? { ...refuseGraph(503, 'serviceNotAvailable'), headers: { 'retry-after': '5' } }
      : undefined
  const { id, problem } = await addProviderCalendar(opened(), person, 'microsoft', {
    subject: 'faults@example.com',
  })
  assert.match(problem ?? '', /has a problem \(status 503\)/)
  const titles = async () =>
    (
      await db
        .selectFrom('occurrence')
        .select('title')
        .where('calendar_id', '=', id)
        .orderBy('title')
        .execute()
    ).map(({ title }) => title)
  assert.deepEqual(await titles(), [])
  outlook.fault = null
  await pollAgain(opened(), person.client, id)
  assert.deepEqual(await titles(), ['Event 0', 'Event 1', 'Event 2', 'Event 3', 'Event 4'])
  // A change that breaks off between two pages of changes is read again as a whole.
  outlook.events.remove('e0')
  for (const i of [1, 2, 3])
    outlook.events.put(`e${i}`, outlookEvent({ clock, minutes: 90 * i }, `Changed ${i}`))
  let isBroken = true
  outlook.fault = ({ path }) => (path.includes('skiptoken') && isBroken ? 'drop' : undefined)
  await pollAgain(opened(), person.client, id)
  assert.equal((await titles()).length, 5)
  isBroken = false
  await pollAgain(opened(), person.client, id)
  assert.deepEqual(await titles(), ['Changed 1', 'Changed 2', 'Changed 3', 'Event 4'])
  outlook.fault = null
})

test('a faulty token endpoint is a passing problem, and only invalid_grant ends the access', async () => {
  const { google, addPerson } = opened()
  const person = await addPerson()
  const subject = 'token@gmail.example'
  const { id } = await addProviderCalendar(opened(), person, 'google', { subject })
  const answers = [
    [{ status: 503, body: 'busy' }, /has a problem \(status 503\)/],
    [{ status: 429, body: '{}', headers: { 'retry-after': '60' } }, /limits the requests/],
    [{ status: 200, body: '{}' }, /does not understand \(the access token\)/],
    ['drop', /cannot be reached/],
  ] as const
  for (const [answer, text] of answers) {
    google.consent.expireAccess()
    google.fault = ({ path }) => (path === '/token' ? answer : undefined)
    assert.match((await pollAgain(opened(), person.client, id)).problem ?? '', text)
    google.fault = null
    assert.equal((await pollAgain(opened(), person.client, id)).problem, null)
  }
  assert.equal((await getCalendar(person.client, id)).brokenSince, null)
})

test('hostile events are stored as harmless texts, and unreadable ones are counted', async () => {
  const { clock, google, addPerson } = opened()
  const person = await addPerson()
  const subject = 'hostile@gmail.example'
  const { id } = await addProviderCalendar(opened(), person, 'google', { subject })
  const log = google.calendars.get(subject)
  const at = { clock, minutes: 60 }
  log?.put('nul', googleEvent(at, 'a\u0000b\ud800\n<b>', { hangoutLink: MEET }))
  log?.put(
    'long',
    googleEvent(at, 'x'.repeat(100_000), { description: `${'y'.repeat(100_000)} ${MEET}` }),
  )
  log?.put('odd', {
    ...googleEvent(at, 'odd', { hangoutLink: 'javascript:alert(1)', attendees: 'none' }),
  })
  log?.put('time', { ...googleEvent(at, 'time'), start: { dateTime: 'soon' } })
  log?.put('id with spaces', googleEvent(at, 'spaces'))
  log?.put(
    'people',
    googleEvent(at, 'people', {
      attendees: Array.from({ length: 3_000 }, (_, i) => ({ email: `p${i}@example.com` })),
    }),
  )
  const { problem } = await pollAgain(opened(), person.client, id)
  assert.equal(problem, 'Events that could not be read and were ignored: 2.')
  const titles = (await listUpcoming(person.client)).map(({ title }) => title.slice(0, 12))
  assert.deepEqual(titles.toSorted(), ['ab <b>', 'people', 'xxxxxxxxxxxx'])
})
