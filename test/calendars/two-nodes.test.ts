import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Db } from '../../src/db/database.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { startFeedServer } from '../support/calendars/feed-server.ts'
import { formatFeed } from '../support/calendars/feed-text.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { startTwoNodes, MASTER_KEY } from '../support/service/start-nodes.ts'
import { startService } from '../support/service/start-service.ts'
import { createManualClock } from '../support/time/manual-clock.ts'
import { eventually } from '../support/time/eventually.ts'
import type { ApiCalendar } from '../../src/http/shapes/calendars.ts'

const ROOMS = Array.from({ length: 12 }, (_, i) => `aaa-bbbb-cc${'abcdefghijkl'[i] ?? ''}`)

async function addCalendar(client: HttpClient, name: string, url: string): Promise<string> {
  const { body } = await client.post('/web/calendars', { name, url })
  return (body['calendar'] as ApiCalendar).id
}

async function isPolled(client: HttpClient, id: string): Promise<boolean> {
  const { body } = await client.get(`/web/calendars/${id}`)
  return (body['calendar'] as ApiCalendar).polledAt !== null
}

async function pollAgain(client: HttpClient, id: string, since: Date): Promise<void> {
  await client.post(`/web/calendars/${id}/poll`)
  await eventually(async () => {
    const { body } = await client.get(`/web/calendars/${id}`)
    const { polledAt } = body['calendar'] as ApiCalendar
    return polledAt !== null && new Date(polledAt) >= since ? true : null
  })
}

function countMeetings(db: Db) {
  return db.selectFrom('meeting').select(['url', 'status']).orderBy('url').execute()
}

test('two nodes poll and attend together and create one meeting for each room', async () => {
  await using feeds = await startFeedServer()
  const clock = createManualClock()
  const start = new Date(clock.now().getTime() + 4 * 60_000)
  const events = ROOMS.map((room) => ({
    uid: room,
    start,
    link: `https://meet.google.com/${room}`,
  }))
  feeds.answer('/all', formatFeed(events))
  let db: Db | undefined
  const routes = (_: unknown, opened: Db) => void (db = opened)
  await using nodes = await startTwoNodes({}, { clock, routes })
  const admin = await nodes.one.adminClient()
  // Two calendars have the same meetings, like the calendars of two people in a team.
  const ids = await Promise.all(
    ['one', 'two'].map((name) => addCalendar(admin, name, feeds.urlOf('/all'))),
  )
  await eventually(async () =>
    (await Promise.all(ids.map((id) => isPolled(admin, id)))).every(Boolean) ? true : null,
  )
  assert.ok(db)
  const open = db
  await eventually(async () => ((await countMeetings(open)).length >= ROOMS.length ? true : null))
  for (const id of ids) {
    clock.advance(11)
    await pollAgain(admin, id, clock.now())
  }
  const meetings = await countMeetings(open)
  assert.deepEqual(
    meetings.map(({ url }) => url),
    ROOMS.map((room) => `https://meet.google.com/${room}`),
  )
  assert.ok(meetings.every(({ status }) => status === 'scheduled'))
})

test('a service that starts again continues with the same meetings', async () => {
  await using feeds = await startFeedServer()
  await using database = await createTestDatabase()
  const clock = createManualClock()
  const start = new Date(clock.now().getTime() + 4 * 60_000)
  const link = `https://meet.google.com/${ROOMS[0] ?? ''}`
  feeds.answer('/one', formatFeed([{ uid: 'a', start, link }]))
  const env = { HANSARD_MASTER_KEY: MASTER_KEY, DATABASE_URL: database.url }
  let db: Db | undefined
  const routes = (_: unknown, opened: Db) => void (db = opened)
  const first = await startService(env, { clock, routes })
  const admin = await first.adminClient()
  const id = await addCalendar(admin, 'one', feeds.urlOf('/one'))
  await eventually(async () => (db && (await countMeetings(db)).length === 1 ? true : null))
  await first[Symbol.asyncDispose]()
  await using second = await startService(env, { clock, routes })
  const again = second.anonymousClient()
  again.cookie = admin.cookie
  again.csrfToken = admin.csrfToken
  clock.advance(11)
  await pollAgain(again, id, clock.now())
  const meetings = db === undefined ? [] : await countMeetings(db)
  assert.deepEqual(meetings, [{ url: link, status: 'scheduled' }])
})
