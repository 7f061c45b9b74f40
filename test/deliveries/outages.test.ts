import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { checkDelivery } from '../support/callbacks/check-delivery.ts'
import { openMeetingsClient } from '../support/meetings/meetings-client.ts'
import { startServiceForFile } from '../support/service-for-file.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'
import { OK_RESPONSE, startRawReceiver } from '../support/callbacks/loopback-receivers.ts'

const sharedService = startServiceForFile(
  {},
  { laneRules: { backoffMs: [20], rejectionBackoffMs: [30, 30, 30, 30] } },
)

test('a receiver that is down during whole meetings gets every event in order when it is back', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  receiver.setDown(true)
  // Three meetings share one URL. Its circuit breaker opens after five failures, and one probe closes it.
  const ids: string[] = []
  for (let i = 0; i < 3; i += 1) {
    ids.push(await program.start('practice://standup?speed=200', { callbackUrl: receiver.url }))
  }
  for (const id of ids) await program.waitForStatus(id)
  for (const id of ids) {
    const { body } = await program.get(`/${id}`)
    const { delivery } = body['meeting'] as { delivery: Record<string, unknown> }
    assert.deepEqual([delivery['delivered'], delivery['failed']], [0, 0])
    assert.ok(Number(delivery['pending']) > 20)
  }
  await receiver.waitUntil(() => receiver.connections() >= 5)
  assert.equal(receiver.calls.length, 0)

  receiver.setDown(false)
  for (const id of ids) await program.waitForDelivery(id)
  for (const id of ids) {
    const { repeats, partials } = checkDelivery(receiver.callsFor(id), await program.events(id))
    assert.deepEqual([repeats, partials], [0, 0])
  }
  assert.deepEqual(receiver.problems, [])
})

test('a flaky receiver gets every event, in order', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const failures = [
    { status: 500 },
    { status: 401 },
    { status: 302 },
    { status: 429 },
    'cut',
  ] as const
  receiver.setReply(() => {
    const turn = receiver.calls.length
    return turn % 3 === 2 ? (failures[turn % failures.length] ?? 'cut') : { status: 200 }
  })
  const id = await program.start('practice://standup?speed=150', { callbackUrl: receiver.url })
  await program.waitForStatus(id)
  const health = await program.waitForDelivery(id)
  assert.equal(health['failed'], 0)
  assert.deepEqual(receiver.problems, [])
  const storedCalls = receiver.callsFor(id).filter(({ event }) => event.type !== 'caption_partial')
  assert.equal(checkDelivery(storedCalls, await program.events(id)).repeats, 0)
})

test('a 410 closes the lane of one meeting only, and a replay sends its events to another URL', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  receiver.setReply(({ path }) => ({ status: path === '/gone' ? 410 : 200 }))
  const start = (path: string) =>
    program.start('practice://standup?speed=200', { callbackUrl: receiver.urlFor(path) })
  const [closed, open] = [await start('/gone'), await start('/here')]
  for (const id of [closed, open]) await program.waitForStatus(id)
  await program.waitForDelivery(open)
  checkDelivery(receiver.callsFor(open), await program.events(open))
  assert.equal(receiver.callsFor(closed).length, 1)
  const { body } = await program.get(`/${closed}`)
  assert.partialDeepStrictEqual((body['meeting'] as Record<string, unknown>)['delivery'], {
    state: 'closed',
    delivered: 0,
    lastError: 'http_410',
    nextAttemptAt: null,
  })

  const events = await program.events(closed)
  const callbackUrl = receiver.urlFor('/second')
  const { status, body: replay } = await program.post(`/${closed}/events/replay`, { callbackUrl })
  assert.equal(status, 202)
  assert.partialDeepStrictEqual(replay, { from: 1, to: events.length, events: events.length })
  const arrived = () => receiver.callsFor(closed).filter(({ path }) => path === '/second')
  await receiver.waitUntil(() => arrived().length >= events.length)
  assert.equal(checkDelivery(arrived(), events).repeats, 0)

  const { body: part } = await program.post(`/${closed}/events/replay`, {
    from: 3,
    to: 5,
    callbackUrl: receiver.urlFor('/third'),
  })
  assert.partialDeepStrictEqual(part, { from: 3, to: 5, events: 3 })
  await receiver.waitUntil((calls) => calls.filter(({ path }) => path === '/third').length >= 3)
  assert.deepEqual(
    receiver
      .callsFor(closed)
      .filter(({ path }) => path === '/third')
      .map(({ event, headers }) => [event.sequence, headers['x-service-previous-sequence']]),
    [
      [3, '2'],
      [4, '3'],
      [5, '4'],
    ],
  )
  const beyond = await program.post(`/${closed}/events/replay`, { from: events.length + 1 })
  assert.equal(beyond.body.code, 'nothing_to_replay')
  const misspelled = await program.post(`/${closed}/events/replay`, { form: 3, from: 3, to: 3 })
  assert.deepEqual(misspelled.body['warnings'], [
    { path: 'form', message: 'Unknown field, ignored; did you mean from?' },
  ])
  const all = await fetch(`${service.url}/api/v1/meetings/${closed}/events/replay`, {
    method: 'POST',
    headers: program.key,
  })
  assert.equal(all.status, 202)
})

test('an event that is always rejected is given up after five attempts, and the other events arrive', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const rejected = 4
  receiver.setReply(({ event, path }) => ({
    status: event.sequence === rejected && path !== '/fixed' ? 400 : 200,
    body: 'I do not like it',
  }))
  const id = await program.start('practice://standup?speed=200', { callbackUrl: receiver.url })
  await program.waitForStatus(id)
  const health = await program.waitForDelivery(id)
  const events = await program.events(id)
  assert.partialDeepStrictEqual(health, {
    state: 'ok',
    failed: 1,
    delivered: events.length - 1,
  })
  assert.equal(receiver.callsFor(id).filter(({ status }) => status === 400).length, 5)
  checkDelivery(receiver.callsFor(id), events, [rejected])
  const { body } = await program.get(`/${id}/deliveries?outcome=rejected`)
  const attempts = body['deliveries'] as Array<Record<string, unknown>>
  assert.equal(attempts.length, 5)
  assert.partialDeepStrictEqual(attempts[0], { sequence: rejected, answer: 'I do not like it' })
  assert.partialDeepStrictEqual(body['failedEvents'], [{ sequence: rejected, reason: 'rejected' }])

  const again = { from: rejected, to: rejected, callbackUrl: receiver.urlFor('/fixed') }
  assert.equal((await program.post(`/${id}/events/replay`, again)).status, 202)
  await receiver.waitUntil((calls) => calls.some(({ path }) => path === '/fixed'))
})

test('revoking a token with meetings=stop stops its meetings and no others', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  const other = await program.admin.createToken({ name: 'other' })
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const start = () => program.start('practice://standup', { callbackUrl: receiver.url })
  const ids = [await start(), await start()]
  Object.assign(program.key, { 'x-api-key': other.apiKey })
  const otherMeeting = await start()
  for (const id of [...ids, otherMeeting]) await program.waitForStatus(id, ['live'])
  const wrong = await program.admin.delete(`/web/tokens/${program.tokenId}?meetings=go`)
  assert.equal(wrong.status, 400)
  const { body } = await program.admin.delete(`/web/tokens/${program.tokenId}?meetings=stop`)
  assert.equal(body['stoppedMeetings'], 2)
  const { body: log } = await program.admin.get('/web/audit?action=meetings%20of%20token%20stopped')
  assert.partialDeepStrictEqual((log['entries'] as object[])[0], { detail: '2' })
  for (const id of ids) await program.waitForStatus(id, ['ended'])
  const { body: left } = await program.get('/status')
  assert.deepEqual(
    (left['meetings'] as Array<{ meetingId: string }>)
      .map(({ meetingId }) => meetingId)
      .filter((id) => [...ids, otherMeeting].includes(id)),
    [otherMeeting],
  )
  await program.post('/stop', { meetingId: otherMeeting })
})

test('the meetings of a revoked token continue to deliver, signed with its secret, until they end', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  const reader = await program.admin.createToken({ name: 'reader' })
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const id = await program.start('practice://long?speed=10', { callbackUrl: receiver.url })
  await program.waitForStatus(id, ['live'])
  assert.equal((await program.admin.delete(`/web/tokens/${program.tokenId}`)).status, 200)
  const arrivedBefore = receiver.callsFor(id).length
  Object.assign(program.key, { 'x-api-key': reader.apiKey })
  await receiver.waitUntil(() => receiver.callsFor(id).length > arrivedBefore)
  assert.equal((await program.post('/stop', { meetingId: id })).status, 200)
  await program.waitForStatus(id)
  await program.waitForDelivery(id)
  checkDelivery(receiver.callsFor(id), await program.events(id))
  assert.deepEqual(receiver.problems, [])
})

test('a response that is not valid HTTP is a failed attempt and is retried', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  await using receiver = await startRawReceiver(({ socket, nth }) => {
    if (nth <= 2) socket.end('HTTP/1.1 000 X\r\n\r\n')
    else socket.write(OK_RESPONSE)
  })
  const options = { callbackUrl: receiver.url, events: ['meeting_status'] }
  const id = await program.start('practice://denied?speed=100', options)
  await program.waitForStatus(id)
  assert.partialDeepStrictEqual(await program.waitForDelivery(id), { failed: 0, lastError: null })
  const { body } = await program.get(`/${id}/deliveries?outcome=failed`)
  const attempts = body['deliveries'] as Array<{ sequence: number; error: string }>
  assert.deepEqual(
    attempts.map(({ sequence, error }) => [sequence, error]),
    [
      [1, 'bad_answer'],
      [1, 'bad_answer'],
    ],
  )
})
