import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { Client } from 'pg'
import { EVENTS } from '../../src/meetings/event-types.ts'
import { eventually } from '../support/time/eventually.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'

/** All event types except partial captions, which use sequences but are not stored. */
const STORED_TYPES = Object.entries(EVENTS).flatMap(([type, { isStored }]) =>
  isStored ? [type] : [],
)

type Failed = {
  events: number
  meetings: number
  lastFailedAt: string | null
  destinations: Array<Record<string, unknown>>
}

const NOTHING_FAILED: Failed = { events: 0, meetings: 0, lastFailedAt: null, destinations: [] }

test('replaying failed events sends each event of every meeting once, even when two callers ask concurrently', async () => {
  await using service = await startService({}, { laneRules: { rejectionBackoffMs: [] } })
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  let isFixed = false
  /** Two consecutive events and a single one. */
  const rejected = [2, 3, 6]
  receiver.setReply(({ event }) => ({
    status: rejected.includes(event.sequence) && !isFixed ? 400 : 200,
  }))
  const start = async (path: string) => {
    const callbackUrl = receiver.urlFor(path)
    const options = { callbackUrl, events: STORED_TYPES }
    const id = await program.start('practice://host-ends?speed=50', options)
    await program.waitForStatus(id)
    await program.waitForDelivery(id)
    return id
  }
  const ids = [await start('/one?key=hidden'), await start('/two')]
  const failed = async () =>
    (await program.ask('GET', '/deliveries/failed')).body as unknown as Failed
  const { lastFailedAt, ...counts } = await failed()
  const { body: second } = await program.get(`/${ids[1]}`)
  const { startedAt } = second['meeting'] as { startedAt: string }
  assert.ok(lastFailedAt !== null && lastFailedAt > startedAt)
  assert.deepEqual(counts, {
    events: 6,
    meetings: 2,
    destinations: ['/one', '/two'].map((path) => ({
      url: receiver.urlFor(path),
      events: 3,
      meetings: 1,
    })),
  })

  // Events that are rejected again become failed events again.
  const replay = () => program.ask('POST', '/deliveries/failed/replay')
  assert.deepEqual((await replay()).body, { events: 6, meetings: 2, remaining: 0 })
  await eventually(async () => ((await failed()).events === 6 ? true : null))

  isFixed = true
  const before = receiver.calls.length
  const answers = await Promise.all([replay(), program.admin.post('/web/deliveries/failed/replay')])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202],
  )
  assert.equal(
    answers.reduce((sum, { body }) => sum + Number(body['events']), 0),
    6,
  )
  await receiver.waitUntil((calls) => calls.length >= before + 6)
  const arrived = receiver.calls
    .slice(before)
    .map(({ event, headers }) => [
      event.meetingId,
      event.sequence,
      headers['x-service-previous-sequence'],
    ])
  const expected = ids.flatMap((id) => rejected.map((n) => [id, n, String(n - 1)]))
  assert.deepEqual(arrived.map(String).toSorted(), expected.map(String).toSorted())
  assert.deepEqual(await failed(), NOTHING_FAILED)
  assert.equal((await replay()).body['events'], 0)
  assert.deepEqual(receiver.problems, [])
})

test('failed events of a closed lane are not replayed', async () => {
  await using service = await startService({}, { laneRules: { rejectionBackoffMs: [] } })
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  receiver.setReply(({ event }) => ({ status: event.sequence === 1 ? 400 : 410 }))
  const id = await program.start('practice://denied?speed=50', { callbackUrl: receiver.url })
  await program.waitForStatus(id)
  await receiver.waitUntil((calls) => calls.some(({ status }) => status === 410))
  await eventually(async () => {
    const { body } = await program.get(`/${id}`)
    const { delivery } = body['meeting'] as { delivery: { state: string } }
    return delivery.state === 'closed' ? true : null
  })
  const { body } = await program.ask('POST', '/deliveries/failed/replay')
  assert.deepEqual(body, { events: 0, meetings: 0, remaining: 0 })
})

test('a replay names the previous wanted event and removes its events from the failed events', async () => {
  await using service = await startService({}, { laneRules: { rejectionBackoffMs: [] } })
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  let requests = 0
  receiver.setReply(() => ({ status: ++requests === 2 ? 400 : 200 }))
  const options = { callbackUrl: receiver.url, events: ['segment_finalized'] }
  const id = await program.start('practice://host-ends?speed=50', options)
  await program.waitForStatus(id)
  await program.waitForDelivery(id)
  const [first, rejected] = receiver.calls.map(({ event }) => event.sequence)
  const failed = async () => (await program.ask('GET', '/deliveries/failed')).body['events']
  assert.equal(await failed(), 1)

  const before = receiver.calls.length
  const range = { from: rejected, to: rejected }
  assert.equal((await program.post(`/${id}/events/replay`, range)).status, 202)
  await receiver.waitUntil((calls) => calls.length > before)
  const again = receiver.calls[before]
  assert.deepEqual(
    [again?.event.sequence, again?.headers['x-service-previous-sequence']],
    [rejected, String(first)],
  )
  assert.equal(await failed(), 0)
})

test('a replay of old events survives a failure, and rejections at another URL add no failed events', async () => {
  await using service = await startService(
    {},
    { laneRules: { rejectionBackoffMs: [], backoffMs: [20] } },
  )
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  let failuresLeft = 1
  receiver.setReply(({ path, event }) => {
    if (path === '/original') return { status: 200 }
    if (event.sequence === 2) return { status: 400 }
    failuresLeft -= 1
    return { status: failuresLeft >= 0 ? 503 : 200 }
  })
  const options = { callbackUrl: receiver.urlFor('/original'), events: STORED_TYPES }
  const id = await program.start('practice://host-ends?speed=50', options)
  await program.waitForStatus(id)
  await program.waitForDelivery(id)
  const sequences = (await program.events(id)).map(({ sequence }) => sequence)
  const database = new Client({ connectionString: service.databaseUrl })
  await database.connect()
  await database.query(`update event set at = at - interval '26 hours'`)
  await database.end()

  await program.post(`/${id}/events/replay`, { callbackUrl: receiver.urlFor('/other') })
  const arrived = () =>
    receiver.calls.flatMap(({ path, event }) => (path === '/other' ? event.sequence : []))
  await receiver.waitUntil(() => arrived().at(-1) === sequences.at(-1))
  assert.deepEqual(arrived(), [1, ...sequences])
  assert.deepEqual((await program.ask('GET', '/deliveries/failed')).body, NOTHING_FAILED)
  const { body } = await program.get(`/${id}/deliveries?outcome=rejected`)
  assert.deepEqual(body['failedEvents'], [])
  assert.equal((body['deliveries'] as unknown[]).length, 1)
  const replay = await program.ask('POST', '/deliveries/failed/replay')
  assert.deepEqual(replay.body, { events: 0, meetings: 0, remaining: 0 })
})
