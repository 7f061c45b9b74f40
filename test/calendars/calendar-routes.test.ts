import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { pino } from 'pino'
import { startCalendarWorld } from '../support/calendars/calendar-world.ts'
import { SECRET } from '../support/calendars/feed-server.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'
import type { ApiCalendar, ApiCalendarPreview } from '../../src/http/shapes/calendars.ts'

const opened = openForFile(() => startCalendarWorld())

test('a calendar is added, read, changed and removed, and the audit log says so', async () => {
  const { addUser, addCalendar, call, serve, inMinutes, db } = opened()
  const { session, userId } = await addUser()
  serve('/work', [{ uid: 'a', start: inMinutes(60) }])
  const added = await addCalendar(session, '/work', { name: 'Work', project: 'sales' })
  assert.equal(added.address, `${userId.toLowerCase()}@example.com`)
  assert.deepEqual([added.host.split(':')[0], added.project], ['127.0.0.1', 'sales'])
  const path = `/web/calendars/${added.id}`
  const change = { name: 'Job', isPaused: true, rules: { onlyTitles: ['review'] } }
  const changed = (await call(session, 'PATCH', path, change)).body['calendar'] as ApiCalendar
  assert.deepEqual([changed.name, changed.isPaused, changed.project], ['Job', true, 'sales'])
  assert.deepEqual(changed.rules, { ...added.rules, onlyTitles: ['review'] })
  assert.equal((await call(session, 'DELETE', path)).status, 200)
  assert.equal((await call(session, 'GET', path)).status, 404)
  const audited = await db
    .selectFrom('audit')
    .select(['action', 'detail', 'actor'])
    .where('object', '=', added.id)
    .orderBy('id')
    .execute()
  assert.deepEqual(
    audited.map(({ action, detail }) => [action, detail]),
    [
      ['calendar added', null],
      ['calendar changed', null],
      ['calendar removed', null],
    ],
  )
})

test('a preview shows each meeting with its reason, before and after the calendar is stored', async () => {
  const { addUser, addCalendar, call, serve, feeds, inMinutes, db } = opened()
  const { session } = await addUser()
  serve('/preview', [
    { uid: 'a', start: inMinutes(60), title: 'Review' },
    { uid: 'b', start: inMinutes(70), title: 'Review in the same room' },
    { uid: 'c', start: inMinutes(120), title: 'Lunch' },
    { uid: 'd', start: inMinutes(180), link: null },
    { uid: 'e', start: inMinutes(60 * 24 * 15) },
  ])
  const reasonsOf = ({ meetings }: ApiCalendarPreview) => meetings.map(({ reason }) => reason)
  const preview = async (path: string, body: object) =>
    reasonsOf((await call(session, 'POST', path, body)).body as ApiCalendarPreview)
  const url = feeds.urlOf('/preview')
  const expected = ['will_join', 'same_room', 'title_excluded', 'no_link']
  const rules = { neverTitles: ['lunch'] }
  assert.deepEqual(await preview('/web/calendars/preview', { url, rules }), expected)
  assert.equal(
    (await db.selectFrom('calendar').select('id').where('name', '=', 'preview').execute()).length,
    0,
  )
  const { id } = await addCalendar(session, '/preview')
  const ownPath = `/web/calendars/${id}/preview`
  assert.deepEqual(await preview(ownPath, { rules }), expected)
  const stored = await call(session, 'GET', ownPath)
  expected[2] = 'will_join'
  assert.deepEqual(reasonsOf(stored.body as ApiCalendarPreview), expected)
})

test('fields that cannot be used are refused with all their problems', async () => {
  const { addUser, call, addToken, feeds } = opened()
  const { session } = await addUser()
  const { key } = await addToken({})
  const add = async (headers: Record<string, string>, fields: object) => {
    const prefix = 'cookie' in headers ? '/web' : '/api/v1'
    const base = { name: 'Work', url: feeds.urlOf('/x') }
    const { status, body } = await call(headers, 'POST', `${prefix}/calendars`, {
      ...base,
      ...fields,
    })
    const details = (body['details'] ?? []) as Array<{ path: string }>
    return [status, ...details.map(({ path }) => path)]
  }
  const bad = { url: 'http://169.254.169.254/x', account: 'nobody', timeZone: 'Mars/Base' }
  assert.deepEqual(await add(session, bad), [400, 'url', 'account', 'timeZone'])
  assert.deepEqual(await add(session, { url: 'ftp://example.com/x' }), [400, 'url'])
  assert.deepEqual(await add(session, { callbackUrl: 'listen:x' }), [400, 'tokenId'])
  assert.deepEqual(await add(key, { rules: { onlyAccepted: true } }), [400, 'address'])
  assert.deepEqual(await add(key, { callbackUrl: 'listen:x', tokenId: 'tok_other' }), [
    400,
    'tokenId',
  ])
  assert.deepEqual(await add(session, { task: 'missing' }), [404])
  const unreadable = await call(session, 'POST', '/web/calendars/preview', {
    url: feeds.urlOf('/no'),
  })
  assert.deepEqual([unreadable.status, unreadable.body['code']], [422, 'calendar_unreadable'])
})

test('the meetings of a person’s calendar are private unless they name a project', async () => {
  const { addUser, addToken, addCalendar, call, serve, db } = opened()
  const [ada, ben, service] = [await addUser(), await addUser(), await addToken({})]
  serve('/private', [])
  const readProject = async (headers: Record<string, string>, project: string) =>
    (await call(headers, 'GET', `/api/v1/projects/${project}/access`)).status
  const { project } = await addCalendar(ada.key, '/private')
  assert.match(project, /-private$/)
  assert.deepEqual(
    [await readProject(ada.key, project), await readProject(ben.key, project)],
    [200, 404],
  )
  assert.equal((await addCalendar(ada.session, '/private')).project, project)
  assert.equal((await addCalendar(service.key, '/private')).project, 'api')

  // Another person's project has the name of Ben's private project.
  const { email } = await db
    .selectFrom('app_user')
    .select('email')
    .where('id', '=', ben.userId)
    .executeTakeFirstOrThrow()
  const taken = `${email.split('@')[0]?.replace('_', '-')}-private`
  await addCalendar(ada.key, '/private', { project: taken })
  await call(ada.key, 'PUT', `/api/v1/projects/${taken}/documents/note.md`)
  assert.equal((await addCalendar(ben.key, '/private')).project, `${taken}-2`)
})

test('a token for some projects adds no calendar to the private project of its person', async () => {
  const { addUser, addToken, call, feeds } = opened()
  const { userId } = await addUser()
  const { key } = await addToken({ creatorId: userId, projects: ['sales'] })
  const body = { name: 'Work', url: feeds.urlOf('/x') }
  assert.equal((await call(key, 'POST', '/api/v1/calendars', body)).status, 404)
})

test('people see only their own calendars, a service token those of the instance, a narrowed one those of its projects', async () => {
  const { addUser, addToken, addCalendar, call, serve } = opened()
  const [ada, ben] = [await addUser(), await addUser('admin')]
  const service = await addToken({})
  const narrowed = await addToken({ projects: ['sales'] })
  const narrowedAda = await addToken({ creatorId: ada.userId, projects: ['sales'] })
  serve('/own', [])
  const ofAda = await addCalendar(ada.key, '/own', { project: 'sales' })
  const other = await addCalendar(ada.key, '/own', { project: 'support' })
  const inSales = await addCalendar(service.key, '/own', { project: 'sales' })
  const inSupport = await addCalendar(service.key, '/own', { project: 'support' })
  const mine = [ofAda, other, inSales, inSupport].map(({ id }) => id)
  const seen = async (headers: Record<string, string>) => {
    const prefix = 'cookie' in headers ? '/web' : '/api/v1'
    const { body } = await call(headers, 'GET', `${prefix}/calendars`)
    const listed = new Set((body['calendars'] as ApiCalendar[]).map(({ id }) => id))
    const opened: boolean[] = []
    for (const id of mine)
      opened.push((await call(headers, 'GET', `${prefix}/calendars/${id}`)).status === 200)
    assert.deepEqual(
      mine.map((id) => listed.has(id)),
      opened,
    )
    return opened
  }
  assert.deepEqual(await seen(ada.session), [true, true, false, false])
  assert.deepEqual(await seen(narrowedAda.key), [true, false, false, false])
  assert.deepEqual(await seen(ben.session), [false, false, false, false])
  assert.deepEqual(await seen(service.key), [false, false, true, true])
  assert.deepEqual(await seen(narrowed.key), [false, false, true, false])
  const url = `/api/v1/calendars/${inSales.id}`
  assert.equal((await call(narrowed.key, 'PATCH', url, { project: 'support' })).status, 404)
})

test('removing a person removes their calendars and withdraws the bots', async () => {
  const { addUser, addCalendar, call, serve, inMinutes, db } = opened()
  const [ada, admin] = [await addUser(), await addUser('admin')]
  serve('/leaving', [
    { uid: 'a', start: inMinutes(4), link: 'https://meet.google.com/lll-llll-lll' },
  ])
  const { id } = await addCalendar(ada.session, '/leaving', { project: 'api' })
  const findMeeting = () =>
    db
      .selectFrom('meeting')
      .select('status')
      .where('label', 'like', '%lll-llll-lll')
      .executeTakeFirst()
  await eventually(async () => (await findMeeting()) ?? null)
  assert.equal((await call(admin.session, 'DELETE', `/web/users/${ada.userId}`)).status, 200)
  const left = await db.selectFrom('calendar').select('id').where('id', '=', id).execute()
  assert.equal(left.length, 0)
  assert.equal((await findMeeting())?.status, 'ended')
})

test('the address is in no response, no log line, no audit entry and no column', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  await using world = await startCalendarWorld({}, log)
  const { addUser, addCalendar, call, serve, feeds, poll, inMinutes } = world
  const { session } = await addUser()
  serve('/secret', [{ uid: 'a', start: inMinutes(4) }])
  const texts: unknown[] = []
  const calendar = await addCalendar(session, '/secret')
  texts.push(calendar)
  const path = `/web/calendars/${calendar.id}`
  feeds.answer('/secret', (response) => response.writeHead(302, { location: 'http://[' }).end())
  texts.push(await poll(session, calendar.id))
  texts.push(await call(session, 'GET', `${path}/preview`))
  texts.push(await call(session, 'PATCH', path, { url: feeds.urlOf('/missing') }))
  texts.push(await poll(session, calendar.id))
  const body = { url: feeds.urlOf('/missing'), name: '', rules: { onlyTitles: 'x' } }
  texts.push(await call(session, 'POST', '/web/calendars', body))
  texts.push(
    await call(session, 'POST', '/web/calendars/preview', { url: feeds.urlOf('/missing') }),
  )
  for (const table of ['calendar', 'occurrence', 'audit', 'meeting'] as const)
    texts.push(await world.db.selectFrom(table).selectAll().execute())
  const said = JSON.stringify(texts) + lines.join('\n')
  assert.ok(lines.length > 0 && said.includes(calendar.id))
  assert.ok(!said.includes(SECRET))
})
