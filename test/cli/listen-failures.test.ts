import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { checkDelivery } from '../support/callbacks/check-delivery.ts'
import { eventually } from '../support/time/eventually.ts'
import { openHttpProxy, startListenCommand } from '../support/callbacks/listen-command.ts'
import { startTwoNodes } from '../support/service/start-nodes.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'

const SLOWLY = 'practice://standup?speed=10'
const LIMIT_MS = 120_000

test('a receiver that was down gets everything in order once it is up', async () => {
  await using service = await startService()
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const args = ['--forward-to', receiver.url]
  await using listener = await startListenCommand(service.url, program.key['x-api-key'], args)
  receiver.setDown(true)
  const id = await program.start(SLOWLY, { callbackUrl: 'listen:default' })
  await eventually(() => (listener.lines().length >= 2 ? true : null))
  assert.match(listener.stdout(), / connection_reset {2}\d+ ms$/m)
  receiver.setDown(false)
  await program.reaches(id)
  await program.delivered(id, LIMIT_MS)
  checkDelivery(receiver.callsFor(id), await program.events(id))
  assert.deepEqual(receiver.problems, [])
})

test('a listener that is killed and started again misses nothing of its own meeting', async () => {
  await using service = await startService()
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const start = () =>
    startListenCommand(service.url, program.key['x-api-key'], ['--forward-to', receiver.url])
  const id = await program.start(SLOWLY, { callbackUrl: 'listen:default' })
  await eventually(async () => ((await program.events(id)).length >= 3 ? true : null))
  assert.deepEqual(receiver.calls, [], 'while nobody listens, everything waits')

  for (const enough of [3, 8, 12]) {
    await using listener = await start()
    await receiver.waitUntil(() => receiver.callsFor(id).length >= enough, LIMIT_MS)
    listener.kill('SIGKILL')
    assert.equal((await listener.exited).signal, 'SIGKILL')
  }
  await program.reaches(id)
  await using _ = await start()
  await program.delivered(id, LIMIT_MS)
  const events = await program.events(id)
  const { repeats } = checkDelivery(receiver.callsFor(id), events)
  assert.ok(repeats <= 3, 'at most what was under way at each kill')
})

test('what waits because the receiver behind a listener failed comes at once when another listener does', async () => {
  await using service = await startService({}, { laneRules: { backoffMs: [600_000] } })
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const start = (to: string) =>
    startListenCommand(service.url, program.key['x-api-key'], ['--forward-to', to])
  await using first = await start('http://127.0.0.1:9/')
  const events = ['meeting_status', 'participant_joined', 'segment_finalized']
  const wish = { callbackUrl: 'listen:default', events }
  const id = await program.start('practice://long?speed=10', wish)
  await eventually(() => (first.lines().length > 0 ? true : null))
  // While the first is still there, and after it has gone.
  for (const enough of [3, 6]) {
    await using second = await start(receiver.url)
    await receiver.waitUntil((calls) => calls.length >= enough)
    receiver.setDown(true)
    const failures = () => second.stdout().match(/connection_reset/g)?.length ?? 0
    await eventually(() => (failures() > 0 ? true : null))
    receiver.setDown(false)
    for (const listener of [first, second]) listener.kill('SIGKILL')
    await second.exited
  }
  const arrived = receiver.callsFor(id).map(({ event }) => event.sequence)
  const stored = (await program.events(id)).filter(({ type }) => events.includes(type))
  assert.deepEqual(
    arrived,
    stored.slice(0, arrived.length).map(({ sequence }) => sequence),
  )
  await program.post('/stop', { meetingId: id })
})

test('after a break in the connection the copies go on where they were, none twice', async () => {
  await using service = await startService()
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  await using way = await openHttpProxy(() => service.url)
  const args = ['--forward-to', receiver.url]
  await using listener = await startListenCommand(way.url, program.key['x-api-key'], args)
  const connections = () => listener.stderr().split('Listening as').length - 1
  // Before the first event, while nothing tells where the listener stands but the opening.
  way.cut()
  const id = await program.start(SLOWLY)
  for (const [enough, count] of [
    [4, 2],
    [9, 3],
  ] as const) {
    await receiver.waitUntil((calls) => calls.length >= enough)
    await eventually(() => (connections() === count ? true : null))
    way.cut()
  }
  await program.reaches(id)
  const events = await program.events(id)
  await receiver.waitUntil((calls) => calls.length >= events.length)
  assert.deepEqual(checkDelivery(receiver.callsFor(id), events), { repeats: 0, partials: 0 })
  assert.match(listener.stderr(), /^No connection to http.*; next try in 0\.5 s$/m)
})

test('an answer may come in at another node than the one the listener is connected to', async () => {
  await using nodes = await startTwoNodes()
  const { one, two } = nodes
  const program = await openMeetingsClient(one)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  // More than fits into a call between nodes.
  receiver.setReply(() => ({ status: 200, body: '\u0001'.repeat(2_048) }))
  await using way = await openHttpProxy(({ method }) => (method === 'GET' ? one.url : two.url))
  const args = ['--forward-to', receiver.url]
  await using _ = await startListenCommand(way.url, program.key['x-api-key'], args)
  const id = await program.start('practice://standup?speed=50', { callbackUrl: 'listen:default' })
  await program.reaches(id)
  await program.delivered(id, LIMIT_MS)
  const { repeats } = checkDelivery(receiver.callsFor(id), await program.events(id))
  assert.equal(repeats, 0)
})

test('a listener that comes back at another node goes on there', async () => {
  await using nodes = await startTwoNodes()
  const { one, two } = nodes
  const program = await openMeetingsClient(one)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  let node = one
  await using way = await openHttpProxy(() => node.url)
  const args = ['--forward-to', receiver.url]
  await using _ = await startListenCommand(way.url, program.key['x-api-key'], args)
  const id = await program.start(SLOWLY, { callbackUrl: 'listen:default' })
  await receiver.waitUntil((calls) => calls.length >= 5)
  node = two
  way.cut()
  await program.reaches(id)
  await program.delivered(id, LIMIT_MS)
  checkDelivery(receiver.callsFor(id), await program.events(id))
})

test('a listener whose key is revoked gets no more and ends', async () => {
  await using service = await startService()
  const program = await openMeetingsClient(service)
  const { apiKey, id: tokenId } = await program.ada.createToken({ name: 'short' })
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const args = ['--forward-to', receiver.url]
  await using listener = await startListenCommand(service.url, apiKey, args)
  const { status } = await program.ada.delete(`/web/tokens/${tokenId}`)
  assert.equal(status, 200)
  await program.reaches(await program.start('practice://denied?speed=1000'))
  assert.equal((await listener.exited).code, 1)
  assert.match(listener.stderr(), /hansard: The service refuses: Invalid API key/)
  assert.deepEqual(receiver.calls, [])
})

test('Ctrl-C ends it in order: what is under way is answered first', async () => {
  await using service = await startService()
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const args = ['--forward-to', receiver.url]
  await using listener = await startListenCommand(service.url, program.key['x-api-key'], args)
  receiver.setReply(() => {
    listener.kill('SIGINT')
    return { status: 200, body: 'just in time' }
  })
  const id = await program.start('practice://long', { callbackUrl: 'listen:default' })
  assert.deepEqual(await listener.exited, { code: 0, signal: null })
  const rows = await eventually(async () => {
    const { body } = await program.get(`/${id}/deliveries?outcome=delivered`)
    const found = body['deliveries'] as Array<Record<string, unknown>>
    return found.length >= receiver.calls.length ? found : null
  })
  assert.ok(rows.every(({ answer }) => answer === 'just in time'))
})
