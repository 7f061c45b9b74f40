import { strict as assert } from 'node:assert'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { startCalendarWorld } from '../support/calendars/calendar-world.ts'
import { formatFeed } from '../support/calendars/feed-text.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'

const opened = openForFile(() => startCalendarWorld())
const linkOf = (room: string) => `https://meet.google.com/${room}`

function findMeetings(project: string) {
  return opened()
    .db.selectFrom('meeting')
    .select(['id', 'status', 'title', 'url', 'join_at', 'expected_end_at'])
    .where('project', '=', project)
    .orderBy('id')
    .execute()
}

function waitForScheduled(project: string, url: string) {
  return eventually(async () => {
    const found = await findMeetings(project)
    return found.find((one) => one.status === 'scheduled' && one.url === url) ?? null
  })
}

test('a bot that waits follows another title and end, and another link', async () => {
  const { addUser, serve, addCalendar, inMinutes, poll } = opened()
  const { session } = await addUser()
  const [first, second] = [linkOf('aaa-aaaa-aaa'), linkOf('bbb-bbbb-bbb')]
  const event = { uid: 'a', start: inMinutes(4) }
  serve('/follow', [{ ...event, title: 'Draft', link: first }])
  const { id } = await addCalendar(session, '/follow', { project: 'follow' })
  const before = await waitForScheduled('follow', first)
  serve('/follow', [{ ...event, title: 'Final', minutes: 90, link: first }])
  await poll(session, id)
  const [renamed] = await findMeetings('follow')
  assert.deepEqual(
    [renamed?.id, renamed?.status, renamed?.title],
    [before.id, 'scheduled', 'Final'],
  )
  assert.equal(renamed?.expected_end_at?.getTime(), event.start.getTime() + 90 * 60_000)
  serve('/follow', [{ ...event, title: 'Final', minutes: 90, link: second }])
  await poll(session, id)
  await waitForScheduled('follow', second)
  assert.deepEqual(
    (await findMeetings('follow')).map(({ status }) => status),
    ['ended', 'scheduled'],
  )
})

test('a title that a person gave stays when the time or the title of the event changes', async () => {
  const { addUser, serve, addCalendar, inMinutes, poll, call } = opened()
  const { session } = await addUser()
  const link = linkOf('eee-eeee-eee')
  const event = { uid: 'a', start: inMinutes(4), link }
  serve('/named', [{ ...event, title: 'Draft' }])
  const { id } = await addCalendar(session, '/named', { project: 'named' })
  const before = await waitForScheduled('named', link)
  await call(session, 'PATCH', `/web/meetings/${before.id}`, { title: 'My title' })
  serve('/named', [{ ...event, title: 'Final', minutes: 90 }])
  await poll(session, id)
  const [after] = await findMeetings('named')
  assert.equal(after?.expected_end_at?.getTime(), event.start.getTime() + 90 * 60_000)
  assert.equal(after?.title, 'My title')
})

test('what a person decided counts when an event is missing once', async () => {
  const { addUser, serve, addCalendar, inMinutes, poll, listUpcoming, call } = opened()
  const { session } = await addUser()
  const other = { uid: 'b', start: inMinutes(90), link: null }
  const events = [{ uid: 'a', start: inMinutes(60), link: linkOf('ccc-cccc-ccc') }, other]
  serve('/missing', events)
  const { id } = await addCalendar(session, '/missing', { project: 'missing' })
  const [skipped] = await listUpcoming(session)
  await call(session, 'PATCH', `/web/upcoming/${skipped?.id}`, { attend: false })
  serve('/missing', [other])
  await poll(session, id)
  assert.equal((await listUpcoming(session))[0]?.reason, 'cancelled')
  serve('/missing', events)
  await poll(session, id)
  const [again] = await listUpcoming(session)
  assert.deepEqual([again?.reason, again?.attend], ['skipped_by_person', false])
})

test('a calendar of the instance may do no more than its token', async () => {
  const { addToken, setAccess, serve, addCalendar, inMinutes, poll, db, listUpcoming } = opened()
  await setAccess('closed', 'private')
  const { id: tokenId, key } = await addToken({ projects: ['closed'] })
  serve('/closed', [{ uid: 'a', start: inMinutes(60), link: linkOf('ddd-dddd-ddd') }])
  const callbackUrl = 'http://127.0.0.1:9/events'
  const calendar = await addCalendar(key, '/closed', { project: 'closed', callbackUrl })
  assert.equal((await listUpcoming(key))[0]?.reason, 'will_join')
  await sql`update api_token set team_only = true where id = ${tokenId}`.execute(db)
  const service = await addToken({})
  await poll(service.key, calendar.id)
  const reasonOf = async () =>
    (await listUpcoming(service.key)).find((one) => one.calendarId === calendar.id)?.reason
  assert.equal(await reasonOf(), 'no_access')
  await sql`update api_token set team_only = false where id = ${tokenId}`.execute(db)
  await poll(service.key, calendar.id)
  assert.equal(await reasonOf(), 'will_join')
  // Another token may use that project, but the first one signs the callbacks.
  const path = `/api/v1/calendars/${calendar.id}`
  await opened().call(service.key, 'PATCH', path, { project: 'open' })
  assert.equal(await reasonOf(), 'no_access')
})

test('an answer that cannot be decompressed is shown as a problem', async () => {
  const { addUser, feeds, addCalendar, poll, inMinutes } = opened()
  const { session } = await addUser()
  const feed = formatFeed([{ uid: 'a', start: inMinutes(60), link: null }])
  opened().serve('/brotli', [])
  const { id } = await addCalendar(session, '/brotli')
  feeds.answer('/brotli', (response) =>
    response.writeHead(200, { 'content-encoding': 'br' }).end(Buffer.from('not brotli at all')),
  )
  assert.match((await poll(session, id)).problem ?? '', /not valid HTTP/)
  feeds.answer('/brotli', (response) =>
    response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(feed)),
  )
  assert.equal((await poll(session, id)).problem, null)
})

test('an unexpected failure is shown to the owner, and the calendar is tried less often', async () => {
  const { addUser, serve, addCalendar, poll, inMinutes, db, clock } = opened()
  const { session } = await addUser()
  serve('/odd', [{ uid: 'a', start: inMinutes(60), link: null }])
  const { id } = await addCalendar(session, '/odd')
  const { url_sealed } = await db
    .selectFrom('calendar')
    .select('url_sealed')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  // An address that cannot be decrypted, for example because the master key changed.
  await db
    .updateTable('calendar')
    .set({ url_sealed: Buffer.alloc(40) })
    .where('id', '=', id)
    .execute()
  const broken = await poll(session, id)
  assert.match(broken.problem ?? '', /an error in this service/)
  assert.equal(broken.brokenSince, clock.now().toISOString())
  await db.updateTable('calendar').set({ url_sealed }).where('id', '=', id).execute()
  assert.equal((await poll(session, id)).brokenSince, null)
})

test('another time zone is used at once', async () => {
  const { addUser, feeds, addCalendar, clock, listUpcoming, call } = opened()
  const { session } = await addUser()
  const start = new Date(clock.now().getTime() + 24 * 3_600_000)
  const feed = formatFeed([{ uid: 'a', start, link: null }]).replaceAll(
    /(DT(?:START|END):\d+T\d+)Z/g,
    '$1',
  )
  feeds.answer('/zone', (response, { 'if-none-match': known }) => {
    if (known === '"v1"') response.writeHead(304).end()
    else response.writeHead(200, { etag: '"v1"' }).end(feed)
  })
  const { id } = await addCalendar(session, '/zone', { timeZone: 'UTC' })
  assert.equal((await listUpcoming(session))[0]?.startsAt, start.toISOString())
  await call(session, 'PATCH', `/web/calendars/${id}`, { timeZone: 'Asia/Tokyo' })
  const moved = new Date(start.getTime() - 9 * 3_600_000).toISOString()
  await eventually(async () => ((await listUpcoming(session))[0]?.startsAt === moved ? true : null))
})

test('a preview with an unknown time zone is refused', async () => {
  const { addUser, serve, feeds, call } = opened()
  const { session } = await addUser()
  serve('/mars', [])
  const body = { url: feeds.urlOf('/mars'), timeZone: 'Mars/Base' }
  const answer = await call(session, 'POST', '/web/calendars/preview', body)
  assert.equal(answer.status, 400, JSON.stringify(answer.body))
  assert.match(JSON.stringify(answer.body), /timeZone/)
})

test('the next preview of a person waits for the one that is read, and a third is refused', async () => {
  const { addUser, feeds, call } = opened()
  const { session } = await addUser()
  const held: ServerResponse[] = []
  feeds.answer('/held', (response) => void held.push(response))
  const preview = () =>
    call(session, 'POST', '/web/calendars/preview', { url: feeds.urlOf('/held') })
  const first = preview()
  const response = await eventually(() => held[0] ?? null)
  const others = [preview(), preview()]
  assert.equal((await Promise.race(others)).status, 429)
  assert.equal(held.length, 1)
  response.end(formatFeed([]))
  assert.equal((await first).status, 200)
  const next = await eventually(() => held[1] ?? null)
  next.end(formatFeed([]))
  const statuses = (await Promise.all(others)).map(({ status }) => status)
  assert.ok(statuses.includes(200), String(statuses))
  assert.equal(held.length, 2)
})
