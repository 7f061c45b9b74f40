import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { pino } from 'pino'
import { sql } from 'kysely'
import {
  addProviderCalendar,
  connectAccount,
  deliverAnswer,
  getCalendar,
  googleEvent,
  listAccounts,
  listReasons,
  listUpcoming,
  pollAgain,
  startAccountWorld,
} from '../../support/calendar-accounts/account-world.ts'
import { createEventLog } from '../../support/calendar-accounts/event-log.ts'
import {
  GOOGLE_APP,
  type GoogleEvent,
} from '../../support/google-calendar/google-calendar-server.ts'
import { openForFile } from '../../support/open-for-file.ts'
import { OUTLOOK_APP } from '../../support/microsoft/outlook-server.ts'
import { eventually } from '../../support/time/eventually.ts'

const logged: string[] = []
const opened = openForFile(() =>
  startAccountWorld({}, {}, pino({ level: 'debug' }, { write: (line) => void logged.push(line) })),
)
const MEET = 'https://meet.google.com/abc-defg-hij'

function openCalendar(subject: string) {
  const log = createEventLog<GoogleEvent>()
  opened().google.calendars.set(subject, log)
  return log
}

test('an account is connected only in the browser and session that began it, and only once', async () => {
  const { google, addPerson } = opened()
  const [ada, ben] = [await addPerson(), await addPerson()]
  const begin = async () => {
    const { body } = await ada.client.post('/web/calendar-accounts', { provider: 'google' })
    return google.consent.authorize(new URL(String(body['url'])))
  }
  const resultOf = (page: URL) => page.search
  const expired = '?tab=calendars&calendarProblem=sign_in_expired'
  assert.equal(resultOf(await deliverAnswer(ben.client, await begin())), expired)
  const inOtherBrowser = await begin()
  ada.client.signInCookie = null
  assert.equal(resultOf(await deliverAnswer(ada.client, inOtherBrowser)), expired)
  const answer = await begin()
  const forged = new URL(answer)
  forged.searchParams.set('code', 'another')
  assert.match(resultOf(await deliverAnswer(ada.client, forged)), /calendarProblem=provider_failed/)
  // The first answer ends it, even if it was forged.
  assert.equal(resultOf(await deliverAnswer(ada.client, answer)), expired)
  google.consent.refuses = true
  assert.match(resultOf(await deliverAnswer(ada.client, await begin())), /calendarProblem=refused/)
  google.consent.refuses = false
  google.consent.grantedScopes = ['https://www.googleapis.com/auth/calendar.events.readonly']
  assert.match(
    resultOf(await deliverAnswer(ada.client, await begin())),
    /calendarProblem=scope_missing/,
  )
  google.consent.grantedScopes = null
  assert.deepEqual(await listAccounts(ada.client), [])
  google.consent.subject = 'ada@gmail.example'
  openCalendar('ada@gmail.example')
  const page = await deliverAnswer(ada.client, await begin())
  assert.match(page.search, /connected=cac_/)
  const [account] = await listAccounts(ada.client)
  assert.deepEqual(
    [account?.provider, account?.address, account?.state, account?.calendars],
    ['google', 'ada@gmail.example', 'connected', 0],
  )
  const path = `/web/calendar-accounts/${account?.id ?? ''}/calendars`
  const { body } = await ada.client.get(path)
  assert.deepEqual(
    (body['calendars'] as Array<{ id: string; isPrimary: boolean }>).filter((one) => one.isPrimary),
    [{ id: 'ada@gmail.example', name: 'ada@gmail.example', isPrimary: true }],
  )
})

test('another person, and a service token, can neither see nor use an account', async () => {
  const { google, addPerson, admin, service } = opened()
  const [ada, ben] = [await addPerson(), await addPerson()]
  google.consent.subject = 'private@gmail.example'
  const id = (await connectAccount(opened(), ada.client, 'google')).searchParams.get('connected')
  const token = await admin.createToken({ name: 'service', kind: 'service' })
  const personal = await ada.client.createToken({ name: 'mine', kind: 'personal' })
  const withKey = async (apiKey: string, path: string) => {
    const anonymous = service.anonymousClient()
    return anonymous.get(`/api/v1${path}`, { 'x-api-key': apiKey })
  }
  const listed = async (apiKey: string) =>
    ((await withKey(apiKey, '/calendar-accounts')).body['accounts'] as unknown[]).length
  assert.deepEqual([await listed(token.apiKey), await listed(personal.apiKey)], [0, 1])
  const path = `/calendar-accounts/${id}/calendars`
  assert.equal((await withKey(token.apiKey, path)).body.code, 'calendar_account_not_found')
  assert.equal((await withKey(personal.apiKey, path)).status, 200)
  assert.deepEqual(await listAccounts(ben.client), [])
  const place = { calendarAccountId: id, providerCalendarId: 'private@gmail.example' }
  const refused = [
    await ben.client.get(`/web/calendar-accounts/${id}/calendars`),
    await ben.client.post('/web/calendars', { name: 'x', ...place }),
    await ben.client.post('/web/calendars/preview', place),
    await ben.client.post('/web/calendar-accounts', { provider: 'google', accountId: id }),
    await ben.client.delete(`/web/calendar-accounts/${id}`),
  ]
  assert.deepEqual(
    refused.map(({ body }) => body.code),
    Array.from({ length: 5 }, () => 'calendar_account_not_found'),
  )
})

test('after the access was revoked, the plan stays, the account says so, and signing in again is enough', async () => {
  const { clock, google, addPerson } = opened()
  const person = await addPerson()
  const subject = 'revoked@gmail.example'
  const log = openCalendar(subject)
  log.put('a', googleEvent({ clock, minutes: 600 }, 'Planning', { hangoutLink: MEET }))
  const rules = { neverTitles: ['lunch'] }
  const { id } = await addProviderCalendar(opened(), person, 'google', { subject, rules })
  const [before] = await listUpcoming(person.client)
  google.consent.revoke(subject)
  const broken = await pollAgain(opened(), person.client, id)
  assert.notEqual(broken.brokenSince, null)
  assert.match(broken.problem ?? '', /access to the account at Google has ended. Reconnect/)
  const [account] = await listAccounts(person.client)
  assert.equal(account?.state, 'ended')
  assert.deepEqual(await listUpcoming(person.client), [before])
  // Signing in as another person does not give this account other calendars.
  google.consent.subject = 'other@gmail.example'
  const other = await connectAccount(opened(), person.client, 'google', account?.id)
  assert.match(other.search, /calendarProblem=other_account/)
  google.consent.subject = subject
  const again = await connectAccount(opened(), person.client, 'google', account?.id)
  assert.equal(again.searchParams.get('connected'), account?.id)
  const calendar = await eventually(async () => {
    const found = await getCalendar(person.client, id)
    return found.brokenSince === null && found.problem === null ? found : null
  })
  assert.deepEqual(calendar.rules.neverTitles, ['lunch'])
  assert.deepEqual(await listUpcoming(person.client), [before])
})

test('an access token that the provider no longer accepts is renewed without anyone noticing', async () => {
  const { google, outlook, addPerson } = opened()
  const person = await addPerson()
  const subject = 'clock@gmail.example'
  const { id } = await addProviderCalendar(opened(), person, 'google', { subject })
  // As with a clock that is wrong: here the token is still valid.
  google.consent.expireAccess()
  assert.equal((await pollAgain(opened(), person.client, id)).problem, null)
  const outlookCalendar = await addProviderCalendar(opened(), person, 'microsoft', { subject })
  const { refreshes } = outlook.consent
  // The refresh token is replaced each time.
  for (let i = 0; i < 3; i += 1) {
    outlook.consent.expireAccess()
    assert.equal((await pollAgain(opened(), person.client, outlookCalendar.id)).problem, null)
  }
  assert.equal(outlook.consent.refreshes - refreshes, 3)
})

test('a wrong client secret is the problem of the application and not of the person', async () => {
  const { google, admin, addPerson } = opened()
  const person = await addPerson()
  const subject = 'secret@gmail.example'
  const { id } = await addProviderCalendar(opened(), person, 'google', { subject })
  google.consent.expireAccess()
  await admin.put('/web/calendar-apps/google', { ...GOOGLE_APP, clientSecret: 'wrong' })
  const { problem } = await pollAgain(opened(), person.client, id)
  assert.match(problem ?? '', /refuses the application of this service \(invalid_client\)/)
  assert.equal((await listAccounts(person.client))[0]?.state, 'connected')
  await admin.put('/web/calendar-apps/google', GOOGLE_APP)
  const missing = await admin.put('/web/calendar-apps/google', { clientId: 'another' })
  assert.equal(missing.status, 400)
  await pollAgain(opened(), person.client, id, 7 * 3_600)
  const repaired = await pollAgain(opened(), person.client, id)
  assert.equal(repaired.problem, null)
})

test('an account is removed with its calendars and its access at the provider', async () => {
  const { google, addPerson, db } = opened()
  const person = await addPerson()
  const subject = 'leaving@gmail.example'
  const { id } = await addProviderCalendar(opened(), person, 'google', { subject })
  const [account] = await listAccounts(person.client)
  assert.equal(account?.calendars, 1)
  const channels = () => google.channels.filter(({ calendar }) => calendar === subject).length
  assert.equal(channels(), 1)
  const path = `/web/calendar-accounts/${account?.id ?? ''}`
  assert.equal((await person.client.delete(path)).status, 200)
  assert.deepEqual([channels(), await listAccounts(person.client)], [0, []])
  assert.equal((await person.client.get(`/web/calendars/${id}`)).status, 404)
  assert.ok(google.requests.some((request) => request.path === '/revoke'))
  const audited = await db
    .selectFrom('audit')
    .select('action')
    .where('object', '=', account?.id ?? '')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    audited.map(({ action }) => action),
    ['calendar account connected', 'calendar account removed'],
  )
  assert.deepEqual(await listReasons(person.client), [])
})

test('no token and no secret is in a response, a log line or a column as plain text', async () => {
  const { db, google, outlook, admin } = opened()
  const secrets = [
    GOOGLE_APP.clientSecret,
    OUTLOOK_APP.clientSecret,
    ...google.consent.listTokens(),
    ...outlook.consent.listTokens(),
  ]
  assert.ok(secrets.length > 10)
  const { rows } = await sql<{ text: string }>`
    select to_jsonb(a)::text as text from calendar_account a union all
    select to_jsonb(p)::text from calendar_app p union all
    select to_jsonb(c)::text from calendar c union all
    select to_jsonb(s)::text from calendar_subscription s union all
    select to_jsonb(u)::text from audit u`.execute(db)
  const { body } = await admin.get('/web/calendar-apps')
  const everything = [...rows.map(({ text }) => text), ...logged, JSON.stringify(body)].join('\n')
  // Columns of bytes are shown as hexadecimal digits.
  for (const secret of secrets)
    for (const form of [secret, Buffer.from(secret).toString('hex')])
      assert.ok(!everything.includes(form), `found ${form.slice(0, 12)}…`)
})
