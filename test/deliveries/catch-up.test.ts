import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createEventLog } from '../../src/meetings/reading/event-log.ts'
import { createNewEventNotifier } from '../../src/meetings/reading/feed.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { openStream, type StreamMessage } from '../support/http/event-stream.ts'
import {
  openMeetingsClient,
  startService,
  type MeetingApiEvent,
} from '../support/meetings/meetings-client.ts'
import { startServiceForFile } from '../support/service-for-file.ts'
import type { TestService } from '../support/service/start-service.ts'
import { SEED_TIME, seedMeetingWithSegments } from './seed-events.ts'

const storedMessages = (messages: StreamMessage[]) => messages.filter(({ id }) => id !== null)
const eventsOf = (messages: StreamMessage[], meetingId: string) =>
  storedMessages(messages)
    .map(({ data }) => data)
    .filter((data) => data.meetingId === meetingId)

/** The feed of a single node. */
const createLocalFeed = () =>
  createNewEventNotifier({
    membership: {
      nodeId: 'node_1',
      broadcast() {},
      send() {},
      onMessage() {},
      isOnlyNode: () => true,
    },
    onRemoteEvents: () => {},
  })

async function openStreamClient(service: TestService) {
  const program = await openMeetingsClient(service)
  const base = `http://127.0.0.1:${service.port}/api/v1`
  const watch = (path: string, lastEventId?: string) =>
    openStream(`${base}${path}`, {
      ...program.key,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    })
  return { ...program, watch }
}

const ADMIN = { kind: 'user', userId: 'usr_1', role: 'admin', projects: null } as const
const sharedService = startServiceForFile()

test('a long poll returns new events, or nothing when its wait ends', async () => {
  const service = sharedService()
  const program = await openStreamClient(service)
  const id = await program.start('practice://lobby-timeout')
  await program.waitForStatus(id, ['lobby'])
  const known = await program.events(id)
  const after = known.at(-1)?.sequence
  const poll = async (wait: number) =>
    (await program.get(`/${id}/events?after=${after}&wait=${wait}`)).body[
      'events'
    ] as MeetingApiEvent[]

  assert.deepEqual(await poll(1), [])
  const [news] = await Promise.all([poll(25), program.post('/stop', { meetingId: id })])
  assert.equal(news[0]?.payload['status'], 'leaving')
  await program.waitForStatus(id)
  for (const query of ['wait=-1', 'wait=x', 'wait=1.5', 'after=-1', 'limit=x']) {
    assert.equal((await program.get(`/${id}/events?${query}`)).status, 400, query)
  }
})

test('a long poll on an ended meeting returns immediately', async () => {
  const service = sharedService()
  const program = await openStreamClient(service)
  const quiet = await program.start('practice://lobby-timeout')
  const over = await program.start('practice://denied?speed=1000')
  await Promise.all([program.waitForStatus(quiet, ['lobby']), program.waitForStatus(over)])
  const poll = async (id: string) => {
    const after = (await program.events(id)).at(-1)?.sequence
    await program.get(`/${id}/events?after=${after}&wait=25`)
    return id
  }
  const waiting = poll(quiet)
  assert.equal(await Promise.race([poll(over), waiting]), over)
  await program.post('/stop', { meetingId: quiet })
  await waiting
})

test('a meeting stream includes partial captions, ends with the meeting and resumes after a disconnect', async () => {
  const service = sharedService()
  const program = await openStreamClient(service)
  const id = await program.start('practice://standup?speed=20')
  const path = `/meetings/${id}/events/stream`
  const first = await program.watch(path)
  assert.equal(first.status, 200)
  await first.waitUntil((messages) => storedMessages(messages).length >= 8)
  first[Symbol.dispose]()
  const second = await program.watch(path, first.lastId())
  await second.ended
  await program.waitForStatus(id)

  const events = await program.events(id)
  const seen = [...first.messages, ...second.messages]
  assert.deepEqual(eventsOf(seen, id), events)
  assert.deepEqual(
    storedMessages(seen).map((message) => Number(message.id)),
    events.map(({ sequence }) => sequence),
  )
  const partials = seen.filter((message) => message.id === null)
  assert.ok(partials.length > 0)
  assert.ok(partials.every(({ event }) => event === 'caption_partial'))

  assert.equal((await program.watch(path, String(events.at(-1)?.sequence))).status, 204)
  const whole = await program.watch(path)
  await whole.ended
  assert.deepEqual(eventsOf(whole.messages, id), events)
  const rest = await program.watch(`${path}?after=3`)
  await rest.ended
  assert.deepEqual(eventsOf(rest.messages, id), events.slice(3))
  assert.equal((await program.watch('/meetings/meeting_1_x/events/stream')).status, 404)
  assert.equal((await program.watch(path, 'abc')).status, 400)
})

/** The meetings are stopped only after this many reconnections, so that they write during all of them. */
const CUTS = 4

test('the stream of all meetings resumes without losing or repeating events while meetings are written', async () => {
  const service = sharedService()
  const program = await openStreamClient(service)
  const seen: StreamMessage[] = []
  let stream = await program.watch('/events/stream')
  const start = () => program.start('practice://long?speed=20', { saveTranscript: false })
  const ids = await Promise.all(Array.from({ length: 4 }, start))
  const isEnd = ({ data: { meetingId, payload } }: StreamMessage) =>
    ids.includes(meetingId) && payload['status'] === 'ended'
  let cuts = 0
  const ends = () => [...seen, ...stream.messages].filter(isEnd).length
  while (cuts < CUTS || ends() < ids.length) {
    const enough = 5 + cuts * 3
    await stream.waitUntil(
      (messages) => storedMessages(messages).length >= enough || ends() === ids.length,
    )
    stream[Symbol.dispose]()
    seen.push(...stream.messages)
    const lastId = stream.lastId()
    stream = await program.watch('/events/stream', lastId)
    cuts += 1
    if (cuts !== CUTS) continue
    await Promise.all(ids.map((meetingId) => program.post('/stop', { meetingId })))
  }
  stream[Symbol.dispose]()
  seen.push(...stream.messages)
  for (const id of ids) assert.deepEqual(eventsOf(seen, id), await program.events(id))
})

test('the stream of all meetings can be filtered by event type and by meeting', async () => {
  const service = sharedService()
  const program = await openStreamClient(service)
  using statuses = await program.watch('/events/stream?events=meeting_status')
  // This meeting ends only when the test stops it, so the stream below always sees the end.
  const one = await program.start('practice://lobby-timeout')
  using alone = await program.watch(`/events/stream?meeting=${one}`)
  const two = await program.start('practice://host-ends?speed=100')
  await program.post('/stop', { meetingId: one })
  await Promise.all([program.waitForStatus(one), program.waitForStatus(two)])
  const isOver = (id: string) => (messages: StreamMessage[]) =>
    eventsOf(messages, id).some(({ payload }) =>
      ['ended', 'error'].includes(String(payload['status'])),
    )
  await statuses.waitUntil((messages) => isOver(one)(messages) && isOver(two)(messages))
  await alone.waitUntil(isOver(one))
  assert.deepEqual(
    new Set(statuses.messages.map(({ event }) => event)),
    new Set(['meeting_status']),
  )
  assert.deepEqual(new Set(alone.messages.map(({ data }) => data.meetingId)), new Set([one]))
  for (const query of ['events=nonsense', 'after=x', 'after=1.2']) {
    assert.equal((await program.watch(`/events/stream?${query}`)).status, 400, query)
  }
})

test('streams end when the service stops', async () => {
  await using stack = new AsyncDisposableStack()
  const service = await startService()
  stack.use(service)
  const program = await openStreamClient(service)
  const id = await program.start('practice://lobby-timeout')
  await program.waitForStatus(id, ['lobby'])
  const streams = [
    await program.watch(`/meetings/${id}/events/stream`),
    await program.watch('/events/stream'),
  ]
  await streams[0]?.waitUntil((messages) => messages.length >= 2)
  await stack.disposeAsync()
  await Promise.all(streams.map(({ ended }) => ended))
})

test('a long poll ends when its caller disconnects', async () => {
  await using database = await openTestDatabase()
  const feed = createLocalFeed()
  const eventLog = createEventLog({ db: database.db, feed })
  const meetingId = await seedMeetingWithSegments(database.db, { segments: [] })
  const disconnect = new AbortController()
  const query = { meetingId, after: 0, limit: 10, waitMs: 600_000 }
  const polling = eventLog.read(query, disconnect.signal)
  assert.equal(feed.hasSubscribers(meetingId), true)
  disconnect.abort()
  assert.deepEqual(await polling, [])
  assert.equal(feed.hasSubscribers(meetingId), false)
})

test('a stream tells twice that a gap changed when it changes again while the first is sent', async () => {
  await using database = await openTestDatabase()
  const feed = createLocalFeed()
  const eventLog = createEventLog({ db: database.db, feed })
  const meetingId = await seedMeetingWithSegments(database.db, { segments: ['c1'] })
  const reading = new AbortController()
  const stream = eventLog.stream(meetingId, 0, reading.signal)
  assert.equal((await stream.next()).value?.type, 'segment_finalized')
  feed.notifyGapChanged(meetingId)
  assert.equal((await stream.next()).value?.type, 'transcript_gap_changed')
  feed.notifyGapChanged(meetingId)
  // Without the second message, the stream would wait and then send a heartbeat.
  assert.equal((await stream.next()).value?.type, 'transcript_gap_changed')
  reading.abort()
  assert.equal((await stream.next()).done, true)
})

test('a stream waits for older transactions of its own database only', async () => {
  await using database = await openTestDatabase()
  await using elsewhere = await openTestDatabase()
  const { db } = database
  const feed = createLocalFeed()
  const eventLog = createEventLog({ db, feed })
  const reading = new AbortController()
  const seed = (on = db) => seedMeetingWithSegments(on, { segments: ['c1'] })
  const follow = async () =>
    eventLog.streamAll(() => ADMIN, await eventLog.currentPosition(), reading.signal)
  await elsewhere.db.transaction().execute(async (open) => {
    await sql`select pg_current_xact_id()`.execute(open)
    await seed()
    const stream = await follow()
    const later = await seed()
    assert.equal((await stream.next()).value?.meetingId, later)
  })
  const stream = await follow()
  const [older, next] = await db.transaction().execute(async (open) => {
    await sql`select pg_current_xact_id()`.execute(open)
    await seed()
    const message = stream.next()
    return [await seed(open), message] as const
  })
  feed.notify(older)
  assert.equal((await next).value?.meetingId, older)
  reading.abort()
})

test('a slow stream reader gets only the newest text of each partial caption', async () => {
  await using database = await openTestDatabase()
  const feed = createLocalFeed()
  const eventLog = createEventLog({ db: database.db, feed })
  const meetingId = await seedMeetingWithSegments(database.db, { segments: ['c1'] })
  const reading = new AbortController()
  const stream = eventLog.stream(meetingId, 0, reading.signal)
  const first = await stream.next()
  assert.equal(first.value?.type, 'segment_finalized')

  const show = (captionId: string, text: string, sequence: number) => {
    const body = {
      type: 'caption_partial',
      meetingId,
      sequence,
      timestamp: SEED_TIME,
      payload: { captionId, text },
    }
    feed.publishPartial(meetingId, JSON.stringify(body))
  }
  for (let i = 0; i < 10_000; i += 1) show(`c${2 + (i % 3)}`, `text ${i}`, 1)
  show('c1', 'shown before it was final', 0)
  const partials = [await stream.next(), await stream.next(), await stream.next()]
  assert.deepEqual(
    partials.map(({ value }) => (JSON.parse(value?.body ?? '') as { payload: unknown }).payload),
    [
      { captionId: 'c2', text: 'text 9999' },
      { captionId: 'c3', text: 'text 9997' },
      { captionId: 'c4', text: 'text 9998' },
    ],
  )
  const next = stream.next()
  reading.abort()
  assert.equal((await next).done, true)
  assert.equal(feed.hasSubscribers(meetingId), false)
})
