import { strict as assert } from 'node:assert'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { storePoll } from '../../src/calendars/store-poll.ts'
import { startCalendarWorld } from '../support/calendars/calendar-world.ts'
import { formatFeed } from '../support/calendars/feed-text.ts'
import { openForFile } from '../support/open-for-file.ts'
import { eventually } from '../support/time/eventually.ts'

const opened = openForFile(() => startCalendarWorld())
const MINUTE_MS = 60_000

test('an unchanged calendar keeps its plan and is asked with its ETag', async () => {
  const { addUser, feeds, addCalendar, poll, inMinutes, listUpcoming } = opened()
  const { session } = await addUser()
  const feed = formatFeed([{ uid: 'a', start: inMinutes(60) }])
  feeds.answer('/etag', (response, { 'if-none-match': known }) => {
    if (known === '"v1"') response.writeHead(304).end()
    else response.writeHead(200, { etag: '"v1"' }).end(feed)
  })
  const { id, changedAt } = await addCalendar(session, '/etag')
  const again = await poll(session, id)
  assert.equal(feeds.requestsTo('/etag').at(-1)?.['if-none-match'], '"v1"')
  assert.equal(again.changedAt, changedAt)
  assert.equal((await listUpcoming(session)).length, 1)
})

test('after a day the calendar is read in full, so that the planned days move forward', async () => {
  const { addUser, feeds, addCalendar, poll, inMinutes, clock, listUpcoming } = opened()
  // A key, because a session would end after a day.
  const { key } = await addUser()
  const rule = 'FREQ=DAILY;COUNT=60'
  const feed = formatFeed([{ uid: 'a', start: inMinutes(60), rule, link: null }])
  feeds.answer('/daily', (response, { 'if-none-match': known }) => {
    if (known === '"v1"') response.writeHead(304).end()
    else response.writeHead(200, { etag: '"v1"' }).end(feed)
  })
  const { id } = await addCalendar(key, '/daily')
  assert.equal((await listUpcoming(key)).length, 14)
  const { length } = feeds.requestsTo('/daily')
  clock.advance(24 * 3_600)
  await poll(key, id)
  // The service may have read the calendar by itself before.
  assert.equal(feeds.requestsTo('/daily')[length]?.['if-none-match'], undefined)
  assert.equal((await listUpcoming(key)).length, 14)
})

const BROKEN: ReadonlyArray<[path: string, answer: string | number, problem: RegExp]> = [
  ['/html', '<!doctype html><title>Sign in</title>', /\w/],
  ['/truncated', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\n', /\w/],
  ['/empty', '', /\w/],
  ['/gone', 410, /no calendar at this address/],
]

for (const [path, answer, problem] of BROKEN) {
  test(`a calendar that is ${path.slice(1)} is broken, keeps its plan, and recovers`, async () => {
    const { addUser, feeds, addCalendar, poll, inMinutes, serve, listUpcoming, clock } = opened()
    const { session } = await addUser()
    const events = [{ uid: 'a', start: inMinutes(600) }]
    serve(path, events)
    // A separate project, because a room has one bot in each project.
    const { id } = await addCalendar(session, path, { project: path.slice(1) })
    feeds.answer(
      path,
      typeof answer === 'string' ? answer : (response) => response.writeHead(answer).end(),
    )
    const broken = await poll(session, id)
    assert.equal(broken.brokenSince, clock.now().toISOString())
    assert.match(broken.problem ?? '', problem)
    assert.match(broken.problem ?? '', /[^.]\.$/)
    assert.equal((await listUpcoming(session))[0]?.willJoin, true)
    const waits: number[] = []
    for (let failures = 2; failures <= 3; failures += 1) {
      // A server that keeps failing is not asked before its time.
      clock.advance(25 * 60)
      const { nextPollAt, brokenSince } = await poll(session, id)
      assert.equal(brokenSince, broken.brokenSince)
      waits.push(new Date(nextPollAt).getTime() - clock.now().getTime())
    }
    // Each wait is extended by up to a fifth.
    assert.ok((waits[0] ?? 0) >= 10 * MINUTE_MS && (waits[1] ?? 0) >= 20 * MINUTE_MS)
    serve(path, events)
    clock.advance(25 * 60)
    const repaired = await poll(session, id)
    assert.deepEqual([repaired.brokenSince, repaired.problem], [null, null])
  })
}

test('an empty calendar drops its plan only when it has been empty for half an hour', async () => {
  const { addUser, addCalendar, poll, inMinutes, serve, listUpcoming, clock } = opened()
  const { session } = await addUser()
  serve('/emptied', [{ uid: 'a', start: inMinutes(600) }])
  const { id } = await addCalendar(session, '/emptied')
  serve('/emptied', [])
  for (let polls = 0; polls < 2; polls += 1) {
    const { brokenSince, problem } = await poll(session, id)
    assert.deepEqual([brokenSince, (await listUpcoming(session)).length], [null, 1])
    assert.match(problem ?? '', /empty now/)
  }
  clock.advance(30 * 60)
  assert.equal((await poll(session, id)).problem, null)
  assert.equal((await listUpcoming(session)).length, 0)
})

test('a meeting that was to be joined and got no bot until its end is missed', async () => {
  const { addUser, addCalendar, poll, inMinutes, serve, clock, call } = opened()
  // A key, because a session would end after a day.
  const { key } = await addUser()
  const events = [
    { uid: 'a', start: inMinutes(600) },
    { uid: 'b', start: inMinutes(600), link: null },
  ]
  serve('/missed', events)
  const from = inMinutes(600).toISOString()
  const { id } = await addCalendar(key, '/missed', { project: 'missed' })
  const readReasons = async () => {
    const { body } = await call(key, 'GET', `/api/v1/upcoming?from=${from}`)
    const { upcoming } = body as { upcoming: Array<{ willJoin: boolean; reason: string }> }
    return upcoming.map(({ willJoin, reason }) => `${willJoin} ${reason}`).toSorted()
  }
  assert.deepEqual(await readReasons(), ['false no_link', 'true will_join'])
  // As if no node had been running in the meantime.
  clock.advance(700 * 60)
  for (const _ of ['before the next poll', 'after it']) {
    assert.deepEqual(await readReasons(), ['false missed', 'false no_link'])
    await poll(key, id)
  }
  assert.deepEqual(await readReasons(), ['false missed', 'false no_link'])
})

test('one changed date of a series is moved, and the others stay', async () => {
  const { addUser, addCalendar, poll, inMinutes, serve, listUpcoming } = opened()
  const { session } = await addUser()
  const [start, second, moved] = [inMinutes(60), inMinutes(60 + 1_440), inMinutes(200 + 1_440)]
  const series = { uid: 'a', start, rule: 'FREQ=DAILY;COUNT=3' }
  serve('/series', [series])
  const { id } = await addCalendar(session, '/series')
  const before = await listUpcoming(session)
  serve('/series', [series, { uid: 'a', start: moved, recurrenceId: second }])
  await poll(session, id)
  const after = await listUpcoming(session)
  assert.deepEqual(
    after.map((one) => one.id),
    before.map((one) => one.id),
  )
  assert.equal(after[1]?.startsAt, moved.toISOString())
})

test('a poll that is asked for while another one is under way follows it', async () => {
  const { addUser, call, inMinutes, feeds, serve, clock, listUpcoming } = opened()
  const { session } = await addUser()
  const held: ServerResponse[] = []
  feeds.answer('/held', (response) => held.push(response))
  const fields = { name: 'Held', url: feeds.urlOf('/held'), project: 'held' }
  const { body } = await call(session, 'POST', '/web/calendars', fields)
  const { id } = body['calendar'] as { id: string }
  const response = await eventually(() => held[0] ?? null)
  const event = { uid: 'a', start: inMinutes(600) }
  serve('/held', [{ ...event, title: 'After' }])
  clock.advance(1)
  await call(session, 'POST', `/web/calendars/${id}/poll`)
  response.end(formatFeed([{ ...event, title: 'Before' }]))
  await eventually(async () => ((await listUpcoming(session))[0]?.title === 'After' ? true : null))
  assert.equal(feeds.requestsTo('/held').length, 2)
})

test('a new address is read at once and replaces the plan', async () => {
  const { addUser, addCalendar, poll, inMinutes, serve, listUpcoming, call, feeds } = opened()
  const { session } = await addUser()
  serve('/first', [{ uid: 'a', start: inMinutes(60), title: 'First' }])
  serve('/second', [{ uid: 'b', start: inMinutes(60), title: 'Second' }])
  const { id } = await addCalendar(session, '/first')
  const url = feeds.urlOf('/second')
  assert.equal((await call(session, 'PATCH', `/web/calendars/${id}`, { url })).status, 200)
  await poll(session, id)
  assert.deepEqual(
    (await listUpcoming(session)).map(({ title }) => title),
    ['Second'],
  )
})

test('a calendar whose node died while it read is read by another node, and a late answer is dropped', async () => {
  const { addUser, addCalendar, poll, serve, inMinutes, db, listUpcoming } = opened()
  const { session } = await addUser()
  serve('/dead', [{ uid: 'a', start: inMinutes(60), title: 'Before' }])
  const { id } = await addCalendar(session, '/dead', { project: 'dead' })
  await db.updateTable('calendar').set({ owner: 'node_gone' }).where('id', '=', id).execute()
  serve('/dead', [{ uid: 'a', start: inMinutes(60), title: 'After' }])
  await poll(session, id)
  const { owner, fence } = await db
    .selectFrom('calendar')
    .select(['owner', 'fence'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.deepEqual([owner, (await listUpcoming(session))[0]?.title], [null, 'After'])
  const late = { calendarId: id, nodeId: 'node_gone', fence: fence - 1, dueAt: new Date(0) }
  const times = { intervalMs: MINUTE_MS, random: () => 0 }
  const meetings = { reschedule: async () => false, withdraw: async () => false }
  const problem = { kind: 'failed', problem: 'Too late', retryAfterMs: null } as const
  assert.equal(await storePoll({ db, times, meetings }, late, problem, new Date()), false)
  assert.equal((await poll(session, id)).problem, null)
})
