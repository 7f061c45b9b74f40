import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  addProviderCalendar,
  getCalendar,
  googleEvent,
  listReasons,
  originOf,
  outlookEvent,
  pollAgain,
  PUBLIC_URL,
  startAccountWorld,
  waitForPoll,
} from '../../support/calendar-accounts/account-world.ts'
import { refuse } from '../../support/google-calendar/google-calendar-server.ts'
import { openForFile } from '../../support/open-for-file.ts'

const opened = openForFile(() => startAccountWorld())
const MEET = 'https://meet.google.com/abc-defg-hij'
const DAY_SECONDS = 86_400

test('Google reports a change, and the calendar is read at once', async () => {
  const { clock, google, service, addPerson } = opened()
  const person = await addPerson()
  const subject = 'push@gmail.example'
  const { id, notifiedUntil } = await addProviderCalendar(opened(), person, 'google', { subject })
  assert.equal(Date.parse(notifiedUntil ?? '') - clock.now().getTime(), 3 * DAY_SECONDS * 1_000)
  const [channel] = google.channels
  assert.equal(channel?.address, `${PUBLIC_URL}/web/calendar-notifications/google`)
  google.calendars
    .get(subject)
    ?.put('a', googleEvent({ clock, minutes: 60 }, 'Sudden', { hangoutLink: MEET }))
  clock.advance(30)
  const since = clock.now()
  assert.deepEqual(await google.notify(subject, originOf(service)), [204])
  await waitForPoll(opened(), person.client, id, since)
  assert.deepEqual(await listReasons(person.client), ['Sudden: will_join'])
  // Doubled, and without a change: the calendar is not read more often than every ten seconds.
  const polls = google.requests.length
  assert.deepEqual(await google.notify(subject, originOf(service)), [204])
  assert.deepEqual(await google.notify(subject, originOf(service)), [204])
  assert.equal(google.requests.length, polls)
})

test('Microsoft validates the address, reports a change, and the calendar is read at once', async () => {
  const { clock, outlook, service, addPerson } = opened()
  const person = await addPerson()
  const { id } = await addProviderCalendar(opened(), person, 'microsoft', {
    subject: 'push@example.com',
  })
  assert.deepEqual(
    outlook.subscriptions.map(({ resource, notificationUrl }) => [resource, notificationUrl]),
    [['me/events', `${PUBLIC_URL}/web/calendar-notifications/microsoft`]],
  )
  outlook.events.put(
    'a',
    outlookEvent({ clock, minutes: 60 }, 'Sudden', {
      body: { contentType: 'text', content: MEET },
    }),
  )
  clock.advance(30)
  const since = clock.now()
  assert.deepEqual(await outlook.notify(originOf(service)), [202])
  await waitForPoll(opened(), person.client, id, since)
  assert.deepEqual(await listReasons(person.client), ['Sudden: will_join'])
})

test('forged, unknown and malformed reports are refused and make nothing due', async () => {
  const { google, outlook, service, db } = opened()
  const origin = originOf(service)
  const post = async (
    provider: string,
    { headers, body }: { headers?: Record<string, string>; body?: string },
  ) => {
    const url = `${origin}/web/calendar-notifications/${provider}`
    return (
      await fetch(url, { method: 'POST', ...(headers && { headers }), ...(body && { body }) })
    ).status
  }
  const due = () => db.selectFrom('calendar').select(['id', 'next_poll_at']).orderBy('id').execute()
  const before = await due()
  const [id = ''] = (google.channels[0]?.token ?? '').split('.')
  const other = outlook.subscriptions[0]?.clientState.split('.')[1]
  const graph = (clientState: unknown) => ({ body: JSON.stringify({ value: [{ clientState }] }) })
  const statuses = [
    await post('google', {}),
    await post('google', { headers: { 'x-goog-channel-token': `${id}.wrong` } }),
    await post('google', { headers: { 'x-goog-channel-token': `${id}.${other ?? ''}` } }),
    await post('google', { headers: { 'x-goog-channel-token': 'x'.repeat(500) } }),
    await post('microsoft', graph(`${id}.wrong`)),
    await post('microsoft', graph(null)),
    await post('microsoft', graph(7)),
    await post('microsoft', { body: 'not json' }),
    await post('microsoft', {
      body: JSON.stringify({ value: Array.from({ length: 2_000 }, () => ({})) }),
    }),
    await post('microsoft', { body: 'x'.repeat(300_000) }),
    await post('elsewhere', {}),
  ]
  assert.deepEqual(statuses, [404, 404, 404, 404, 404, 404, 400, 400, 400, 413, 404])
  assert.deepEqual(await due(), before)
  // The answer to a validation is text, whatever it contains.
  const url = `${origin}/web/calendar-notifications/microsoft?validationToken=%3Cscript%3E`
  const response = await fetch(url, { method: 'POST' })
  assert.deepEqual(
    [
      await response.text(),
      response.headers.get('content-type'),
      response.headers.get('x-content-type-options'),
    ],
    ['<script>', 'text/plain; charset=utf-8', 'nosniff'],
  )
})

test('without reports, because the provider refuses them, the calendar is polled as before', async () => {
  const { clock, google, addPerson } = opened()
  const person = await addPerson()
  const subject = 'refused@gmail.example'
  google.fault = ({ path }) =>
    path.endsWith('/events/watch') ? refuse(403, 'forbidden') : undefined
  const { id, notifiedUntil, problem } = await addProviderCalendar(opened(), person, 'google', {
    subject,
  })
  assert.deepEqual([notifiedUntil, problem], [null, null])
  const tries = () =>
    google.requests.filter(({ path }) => path.endsWith(`${subject}/events/watch`)).length
  assert.equal(tries(), 1)
  google.calendars
    .get(subject)
    ?.put('a', googleEvent({ clock, minutes: 60 }, 'Polled', { hangoutLink: MEET }))
  await pollAgain(opened(), person.client, id)
  assert.deepEqual([await listReasons(person.client), tries()], [['Polled: will_join'], 1])
  google.fault = null
  await pollAgain(opened(), person.client, id, 3_700)
  assert.notEqual((await getCalendar(person.client, id)).notifiedUntil, null)
})

// The last test, because its time ends the sessions of the others.
test('a subscription is replaced before it expires, and ended when its calendar is removed', async () => {
  const { google, service, addPerson } = opened()
  const person = await addPerson()
  const subject = 'renewed@gmail.example'
  const { id } = await addProviderCalendar(opened(), person, 'google', { subject })
  const ids = () => google.channels.filter((one) => one.calendar === subject).map((one) => one.id)
  const before = ids()
  await pollAgain(opened(), person.client, id)
  assert.deepEqual(ids(), before)
  for (let hours = 0; hours < 40; hours += 8)
    await pollAgain(opened(), person.client, id, 8 * 3_600)
  const after = ids()
  assert.deepEqual([after.length, after[0] === before[0]], [1, false])
  const channel = google.channels.find((one) => one.calendar === subject)
  await person.client.delete(`/web/calendars/${id}`)
  assert.deepEqual(ids(), [])
  // A late report of the removed calendar.
  const late = await fetch(`${originOf(service)}/web/calendar-notifications/google`, {
    method: 'POST',
    headers: { 'x-goog-channel-token': channel?.token ?? '', 'x-goog-resource-state': 'exists' },
  })
  assert.equal(late.status, 404)
})
