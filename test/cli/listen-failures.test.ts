import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { checkDelivery } from '../support/callbacks/check-delivery.ts'
import { eventually } from '../support/time/eventually.ts'
import { openHttpProxy, startListenCommand } from '../support/callbacks/listen-command.ts'
import { openForFile } from '../support/open-for-file.ts'
import { startTwoNodes } from '../support/service/start-nodes.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'

const STANDUP = 'practice://standup?speed=100'
const LIMIT_MS = 120_000

const opened = openForFile(async () => {
  const nodes = await startTwoNodes({}, { laneRules: { backoffMs: [500] } })
  const program = await openMeetingsClient(nodes.one)
  return { ...nodes, service: nodes.one, program }
})

test('a receiver behind a listener that was down gets all callbacks in order once it is up', async () => {
  const { service, program } = opened()
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const args = ['--forward-to', receiver.url]
  await using listener = await startListenCommand(service.url, program.key['x-api-key'], args)
  receiver.setDown(true)
  const id = await program.start(STANDUP, { callbackUrl: 'listen:default' })
  await eventually(() => (listener.lines().length >= 2 ? true : null))
  assert.match(listener.stdout(), / connection_reset {2}\d+ ms$/m)
  receiver.setDown(false)
  await program.waitForStatus(id)
  await program.waitForDelivery(id, LIMIT_MS)
  checkDelivery(receiver.callsFor(id), await program.events(id))
  assert.deepEqual(receiver.problems, [])
})

test('a listener that is killed and restarted misses no callback of its meeting', async () => {
  const { service, program } = opened()
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const start = () =>
    startListenCommand(service.url, program.key['x-api-key'], ['--forward-to', receiver.url])
  const id = await program.start(STANDUP, { callbackUrl: 'listen:default' })
  await eventually(async () => ((await program.events(id)).length >= 3 ? true : null))
  assert.deepEqual(receiver.calls, [], 'callbacks wait while no listener is connected')

  for (const enough of [3, 8]) {
    await using listener = await start()
    await receiver.waitUntil(() => receiver.callsFor(id).length >= enough, LIMIT_MS)
    listener.kill('SIGKILL')
    assert.equal((await listener.waitForExit()).signal, 'SIGKILL')
  }
  await program.waitForStatus(id)
  await using _ = await start()
  await program.waitForDelivery(id, LIMIT_MS)
  const events = await program.events(id)
  const { repeats } = checkDelivery(receiver.callsFor(id), events)
  assert.ok(repeats <= 2, 'at most the callbacks in flight at each kill')
})

test('callbacks in back-off are sent immediately when another listener connects', async () => {
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
  // First while the first listener is still connected, then after it has disconnected.
  for (const enough of [3, 6]) {
    await using second = await start(receiver.url)
    await receiver.waitUntil((calls) => calls.length >= enough)
    receiver.setDown(true)
    const failures = () => second.stdout().match(/connection_reset/g)?.length ?? 0
    await eventually(() => (failures() > 0 ? true : null))
    receiver.setDown(false)
    for (const listener of [first, second]) listener.kill('SIGTERM')
    await second.waitForExit()
  }
  const arrived = receiver.callsFor(id).map(({ event }) => event.sequence)
  const stored = (await program.events(id)).filter(({ type }) => events.includes(type))
  assert.deepEqual(
    arrived,
    stored.slice(0, arrived.length).map(({ sequence }) => sequence),
  )
  await program.post('/stop', { meetingId: id })
})

test('copies resume after a lost connection without repeats', async () => {
  const { service, program } = opened()
  await using receiver = await openRecordingReceiver(program.signingSecret)
  await using proxy = await openHttpProxy(() => service.url)
  const args = ['--forward-to', receiver.url]
  await using listener = await startListenCommand(proxy.url, program.key['x-api-key'], args)
  const connections = () => listener.stderr().split('Listening as').length - 1
  // Before the first event, the listener knows its position only from the opening message.
  proxy.cut()
  const id = await program.start(STANDUP)
  for (const [enough, count] of [
    [4, 2],
    [9, 3],
  ] as const) {
    await receiver.waitUntil((calls) => calls.length >= enough)
    await eventually(() => (connections() === count ? true : null))
    proxy.cut()
  }
  await program.waitForStatus(id)
  const events = await program.events(id)
  await receiver.waitUntil((calls) => calls.length >= events.length)
  assert.deepEqual(checkDelivery(receiver.callsFor(id), events), { repeats: 0, partials: 0 })
  assert.match(listener.stderr(), /^No connection to http.*; retrying in 0\.5 s$/m)
})

test('a listener’s answer may arrive at another node than the one it is connected to', async () => {
  const { one, two, program } = opened()
  await using receiver = await openRecordingReceiver(program.signingSecret)
  // Larger than a broadcast between nodes can be.
  receiver.setReply(() => ({ status: 200, body: '\u0001'.repeat(2_048) }))
  await using proxy = await openHttpProxy(({ method }) => (method === 'GET' ? one.url : two.url))
  const args = ['--forward-to', receiver.url]
  await using _ = await startListenCommand(proxy.url, program.key['x-api-key'], args)
  const id = await program.start('practice://standup?speed=50', { callbackUrl: 'listen:default' })
  await program.waitForStatus(id)
  await program.waitForDelivery(id, LIMIT_MS)
  const { repeats } = checkDelivery(receiver.callsFor(id), await program.events(id))
  assert.equal(repeats, 0)
})

test('a listener that reconnects to another node resumes there', async () => {
  const { one, two, program } = opened()
  await using receiver = await openRecordingReceiver(program.signingSecret)
  let node = one
  await using proxy = await openHttpProxy(() => node.url)
  const args = ['--forward-to', receiver.url]
  await using _ = await startListenCommand(proxy.url, program.key['x-api-key'], args)
  const id = await program.start(STANDUP, { callbackUrl: 'listen:default' })
  await receiver.waitUntil((calls) => calls.length >= 5)
  node = two
  proxy.cut()
  await program.waitForStatus(id)
  await program.waitForDelivery(id, LIMIT_MS)
  checkDelivery(receiver.callsFor(id), await program.events(id))
})

test('a listener whose API key is revoked gets no more callbacks and exits', async () => {
  const { service, program } = opened()
  const { apiKey, id: tokenId } = await program.admin.createToken({ name: 'short' })
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const args = ['--forward-to', receiver.url]
  await using listener = await startListenCommand(service.url, apiKey, args)
  const { status } = await program.admin.delete(`/web/tokens/${tokenId}`)
  assert.equal(status, 200)
  await program.waitForStatus(await program.start('practice://denied?speed=1000'))
  assert.equal((await listener.waitForExit()).code, 1)
  assert.match(listener.stderr(), /hansard: The service refused the request: Invalid API key/)
  assert.deepEqual(receiver.calls, [])
})

test('Ctrl-C ends a listener after the callbacks in flight are answered', async () => {
  const { service, program } = opened()
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const args = ['--forward-to', receiver.url]
  await using listener = await startListenCommand(service.url, program.key['x-api-key'], args)
  receiver.setReply(() => {
    listener.kill('SIGINT')
    return { status: 200, body: 'just in time' }
  })
  const id = await program.start('practice://long', { callbackUrl: 'listen:default' })
  assert.deepEqual(await listener.waitForExit(), { code: 0, signal: null })
  const rows = await eventually(async () => {
    const { body } = await program.get(`/${id}/deliveries?outcome=delivered`)
    const found = body['deliveries'] as Array<Record<string, unknown>>
    return found.length >= receiver.calls.length ? found : null
  })
  assert.ok(rows.every(({ answer }) => answer === 'just in time'))
})
