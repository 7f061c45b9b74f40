import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { connectToDatabase } from '../../src/db/database.ts'
import { createLog } from '../../src/log.ts'
import { deleteExpiredEventsAndDeliveries } from '../../src/meetings/removal.ts'
import { checkDelivery } from '../support/callbacks/check-delivery.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { startServiceForFile } from '../support/service-for-file.ts'
import { eventually } from '../support/time/eventually.ts'

const sharedService = startServiceForFile()

test('a practice meeting delivers every stored event once, in order and signed', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const id = await program.start('practice://standup?speed=20', { callbackUrl: receiver.url })
  await program.waitForStatus(id)
  const health = await program.waitForDelivery(id)
  const events = await program.events(id)

  const { repeats, partials } = checkDelivery(receiver.callsFor(id), events)
  assert.deepEqual(receiver.problems, [])
  assert.equal(repeats, 0)
  assert.ok(partials > 0, 'partial captions arrive too')
  assert.ok(events.every(({ type }) => type !== 'caption_partial'))
  assert.deepEqual(health, {
    state: 'ok',
    pending: 0,
    oldestPendingAgeMs: null,
    delivered: events.length,
    failed: 0,
    lastError: null,
    problem: null,
    nextAttemptAt: null,
  })
})

test('only the requested event types are sent, and previous sequences refer to those types', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const wanted = ['meeting_status', 'participant_joined']
  const start = (events: string[]) =>
    program.start('practice://standup?speed=200', { callbackUrl: receiver.url, events })
  const [some, none] = [await start(wanted), await start([])]
  for (const id of [some, none]) {
    await program.waitForStatus(id)
    await program.waitForDelivery(id)
  }
  const events = (await program.events(some)).filter(({ type }) => wanted.includes(type))
  assert.ok(events.length > 5)
  assert.deepEqual(checkDelivery(receiver.callsFor(some), events), { repeats: 0, partials: 0 })
  assert.deepEqual(receiver.callsFor(none), [])
})

test('the status of a live meeting includes its delivery state', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  receiver.setReply(() => ({ status: 503 }))
  const id = await program.start('practice://standup', { callbackUrl: receiver.url })
  await receiver.waitUntil((calls) => calls.length > 1)
  const { body } = await program.get('/status')
  type Row = { meetingId: string; delivery: Record<string, unknown> }
  const delivery = (body['meetings'] as Row[]).find(({ meetingId }) => meetingId === id)?.delivery
  assert.partialDeepStrictEqual(delivery, {
    state: 'retrying',
    delivered: 0,
    failed: 0,
    lastError: 'http_503',
  })
  assert.ok(Number(delivery?.['pending']) > 0 && Number(delivery?.['oldestPendingAgeMs']) > 0)
  assert.equal(typeof delivery?.['nextAttemptAt'], 'string')
  await program.post('/stop', { meetingId: id })
  await program.waitForStatus(id)
})

test('a blocked callback URL is refused by start, test call and replay, and never connected to', async () => {
  await using service = await startService({ HANSARD_CALLBACK_DENY: '127.0.0.0/8' })
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const callbackUrl = receiver.url
  const start = { url: 'practice://denied?speed=1000', callbackUrl }
  const allowed = await program.start(start.url, { callbackUrl: 'listen:nobody' })
  const answers = [
    await program.post('/start', start),
    await program.ask('POST', '/callbacks/test', { callbackUrl }),
    await program.post(`/${allowed}/events/replay`, { callbackUrl }),
  ]
  for (const { status, body } of answers) {
    assert.deepEqual([status, body.code], [400, 'callback_url_blocked'])
  }
  const { meetings } = (await program.get('')).body as { meetings?: unknown[] }
  assert.equal(meetings?.length, 1)
  assert.equal(receiver.connections(), 0)
})

test('metrics report attempts by outcome, lag and lanes', async () => {
  await using service = await startService()
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const id = await program.start('practice://denied?speed=100', { callbackUrl: receiver.url })
  await program.waitForStatus(id)
  await program.waitForDelivery(id)
  const attempts = receiver.callsFor(id).length
  const counted = `hansard_callback_attempts_total{outcome="delivered"} ${attempts}\n`
  const text = await eventually(async () => {
    const { body } = await service.anonymousClient().get('/metrics', program.key)
    return String(body['text']).includes(counted) ? String(body['text']) : null
  })
  assert.ok(text.includes(`hansard_callback_lag_seconds_count ${attempts}\n`))
  assert.match(text, /hansard_callback_lag_seconds\{quantile="0.99"\} [\d.e-]+\n/)
  assert.match(text, /hansard_callback_lanes\{state="here"\} \d+\n/)
})

test('expired events and attempts are deleted, the transcript and its document stay', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const callbackUrl = receiver.url
  const id = await program.start('practice://host-ends?speed=100', { callbackUrl })
  const live = await program.start('practice://standup', { callbackUrl })
  await program.waitForStatus(id)
  await program.waitForDelivery(id)
  await program.waitForStatus(live, ['lobby', 'live'])
  const before = await program.get(`/${id}/transcript`)

  const log = createLog('silent')
  const database = await connectToDatabase(
    { connectionString: service.databaseUrl },
    { max: 1, log },
  )
  const month = 31 * 24 * 3_600_000
  await deleteExpiredEventsAndDeliveries(database.db, new Date(Date.now() + month / 2), 30)
  assert.ok((await program.events(id)).length > 0, 'events are not deleted too early')
  await deleteExpiredEventsAndDeliveries(database.db, new Date(Date.now() + month), 30)
  await database.close()

  assert.deepEqual(await program.events(id), [])
  const { body } = await program.get(`/${id}/deliveries`)
  assert.deepEqual(body['deliveries'], [])
  assert.deepEqual((await program.get(`/${id}/transcript`)).body, before.body)
  assert.equal((await program.get(`/${id}/document`)).status, 200)
  assert.equal((await program.get(`/${id}`)).status, 200)
  assert.equal((await program.post(`/${id}/events/replay`, {})).body.code, 'nothing_to_replay')
  assert.ok((await program.events(live)).length > 0, 'the events of a running meeting stay')
  await program.post('/stop', { meetingId: live })
  await program.waitForStatus(live)
})
