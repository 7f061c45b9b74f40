import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { postCallback } from '../../src/cli/commands/listen/forwarder.ts'
import {
  NEVER_ABORTED,
  OK_RESPONSE,
  startRawReceiver,
} from '../support/callbacks/loopback-receivers.ts'
import { checkDelivery } from '../support/callbacks/check-delivery.ts'
import { eventually } from '../support/time/eventually.ts'
import { startListenCommand } from '../support/callbacks/listen-command.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'

type Row = { sequence: number; outcome: string; status: number | null; answer: string }

async function openServiceAndProgram() {
  const service = await startService()
  const program = await openMeetingsClient(service)
  return { service, program, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}
const opened = openForFile(openServiceAndProgram)

/** A receiver that verifies the API client's signing secret, and a function that starts the listen command for it. */
async function openListenSetup({ service, program } = opened()) {
  const receiver = await openRecordingReceiver(program.signingSecret)
  const apiKey = program.key['x-api-key']
  return {
    service,
    program,
    receiver,
    apiKey,
    listen: (...args: string[]) => startListenCommand(service.url, apiKey, args),
    async deliveries(meetingId: string): Promise<Row[]> {
      const { body } = await program.get(`/${meetingId}/deliveries?limit=100`)
      return body['deliveries'] as Row[]
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  }
}

test('a listener gets all callbacks of its meeting in order and signed', async () => {
  await using setup = await openListenSetup()
  const { program, receiver } = setup
  receiver.setReply(() => ({ status: 202, body: 'half\0past' }))
  await using listener = await setup.listen(
    '--name',
    'dev',
    '--forward-to',
    receiver.urlFor('/hook'),
  )
  const id = await program.start('practice://standup?speed=50', { callbackUrl: 'listen:dev' })
  await program.waitForStatus(id)
  const health = await program.waitForDelivery(id)
  const events = await program.events(id)

  const { repeats, partials } = checkDelivery(receiver.callsFor(id), events)
  assert.equal(repeats, 0)
  assert.ok(partials > 0, 'partial captions arrive too')
  assert.deepEqual(receiver.problems, [])
  assert.ok(receiver.calls.every(({ path }) => path === '/hook'))
  assert.partialDeepStrictEqual(health, { state: 'ok', delivered: events.length, failed: 0 })
  for (const { outcome, status, answer } of await setup.deliveries(id)) {
    assert.deepEqual({ outcome, status, answer }, DELIVERED)
  }
  await eventually(() => (listener.lines().length >= receiver.calls.length ? true : null))
  const last = events.at(-1)
  const line = new RegExp(
    `^\\d\\d:\\d\\d:\\d\\d +${last?.type} +${id} #${last?.sequence} +202 +\\d+ ms$`,
    'm',
  )
  assert.match(listener.stdout(), line)
})

const DELIVERED = { outcome: 'delivered', status: 202, answer: 'half\ufffdpast' }

test('a listener gets a copy of the stored events of every other meeting, signed like the original', async () => {
  await using setup = await openListenSetup()
  const { program, receiver } = setup
  await using original = await openRecordingReceiver(program.signingSecret)
  await using _ = await setup.listen('--forward-to', receiver.url)
  const ids = await Promise.all(
    ['standup', 'host-ends'].map((script) =>
      program.start(`practice://${script}?speed=50`, { callbackUrl: original.url }),
    ),
  )
  for (const id of ids) {
    await program.waitForStatus(id)
    await program.waitForDelivery(id)
    const events = await program.events(id)
    await eventually(() => (receiver.callsFor(id).length >= events.length ? true : null))
    assert.deepEqual(checkDelivery(receiver.callsFor(id), events), { repeats: 0, partials: 0 })
    checkDelivery(original.callsFor(id), events)
    const bodies = new Map(original.callsFor(id).map(({ event, body }) => [event.sequence, body]))
    for (const { event, body } of receiver.callsFor(id)) {
      assert.ok(bodies.get(event.sequence)?.equals(body), 'the bytes are the same')
    }
  }
  assert.deepEqual(receiver.problems, [])
})

test('a listener for one meeting gets no copies of other meetings', async () => {
  await using setup = await openListenSetup()
  const { program, receiver } = setup
  const id = await program.start('practice://long')
  await using _ = await setup.listen('--forward-to', receiver.url, '--meeting', id)
  const other = await program.start('practice://denied?speed=1000')
  await program.waitForStatus(other)
  await program.post('/stop', { meetingId: id })
  await program.waitForStatus(id)
  const last = (await program.events(id)).at(-1)?.sequence
  await receiver.waitUntil((calls) => calls.some(({ event }) => event.sequence === last))
  assert.deepEqual(new Set(receiver.calls.map(({ event }) => event.meetingId)), new Set([id]))
})

test('event types that a listener did not select are skipped without blocking later events', async () => {
  await using setup = await openListenSetup()
  const { program, receiver } = setup
  const wanted = ['meeting_status', 'document_saved']
  await using _ = await setup.listen('--forward-to', receiver.url, '--events', wanted.join(','))
  const ids = [
    await program.start('practice://standup?speed=50', { callbackUrl: 'listen:default' }),
    await program.start('practice://standup?speed=50'),
  ]
  for (const id of ids) {
    await program.waitForStatus(id)
    const events = (await program.events(id)).filter(({ type }) => wanted.includes(type))
    await eventually(() => (receiver.callsFor(id).length >= events.length ? true : null))
    const got = receiver.callsFor(id).map(({ event }) => event.sequence)
    assert.deepEqual(
      got,
      events.map(({ sequence }) => sequence),
    )
  }
  await program.waitForDelivery(ids[0] ?? '')
  const log = await setup.deliveries(ids[0] ?? '')
  assert.ok(
    log.some(({ answer }) => /the listener does not subscribe to this event type/.test(answer)),
  )
})

test('listen with --print-json prints only the bodies and acknowledges them', async () => {
  await using setup = await openListenSetup()
  const { program } = setup
  await using listener = await setup.listen('--print-json')
  const callbackUrl = 'listen:default'
  const events = ['meeting_status', 'segment_finalized', 'document_saved']
  const id = await program.start('practice://standup?speed=50', { callbackUrl, events })
  await program.waitForStatus(id)
  await program.waitForDelivery(id)
  const sent = (await program.events(id)).filter(({ type }) => events.includes(type))
  await eventually(() => (listener.lines().length >= sent.length ? true : null))
  assert.deepEqual(
    listener.lines().map((line) => JSON.parse(line) as unknown),
    sent,
  )
})

test('a test callback reaches the listener, and reports when none is connected', async () => {
  // A listener also gets copies of events in other tests' meetings.
  await using own = await openServiceAndProgram()
  await using setup = await openListenSetup(own)
  const call = async () =>
    (await setup.program.ask('POST', '/callbacks/test', { callbackUrl: 'listen:dev' })).body
  assert.partialDeepStrictEqual(await call(), { delivered: false, error: 'connection_refused' })
  await using _ = await setup.listen('--name', 'dev', '--forward-to', setup.receiver.url)
  assert.partialDeepStrictEqual(await call(), { delivered: true, status: 204 })
  assert.deepEqual(
    setup.receiver.calls.map(({ headers }) => headers['x-service-event']),
    ['test'],
  )
})

test('hansard listen explains fatal errors and exits with 1', async () => {
  await using setup = await openListenSetup()
  await using folder = createTestDataFolder()
  const { apiKey: reader } = await setup.program.admin.createToken({ name: 'r', scopes: ['read'] })
  const run = (key: string, ...args: string[]) =>
    runLoadedCommand(['listen', '--print-json', '--service', setup.service.url, ...args], {
      ...folder.env,
      ...(key !== '' && { HANSARD_API_KEY: key }),
    })
  const { apiKey } = setup
  const cases: Array<[ended: () => ReturnType<typeof run>, says: RegExp]> = [
    [() => run(''), /^hansard: An API key is needed\n {2}Set HANSARD_API_KEY/],
    [
      () => run('sk_wrong'),
      /^hansard: The service refused the request: Invalid API key\n {2}Set HANSARD_API_KEY/,
    ],
    [
      () => run(reader),
      /This API key does not have permission to do that\n {2}This call needs one of the scopes meetings/,
    ],
    [
      () => run(apiKey, '--meeting', 'meeting_1_x'),
      /There is no such meeting\n {2}Check --meeting/,
    ],
    [() => run(apiKey, '--events', 'weather'), /invalid fields \(events\.0: /],
    [() => run(apiKey, '--service', setup.receiver.url), /is not Hansard[\s\S]*Check --service/],
  ]
  for (const [ended, says] of cases) {
    const { code, stderr } = await ended()
    assert.match(stderr, says)
    assert.equal(code, 1)
  }
})

test('a listener accepts an interim response that its receiver sends without being asked', async () => {
  await using receiver = await startRawReceiver(({ socket }) => {
    socket.end(`HTTP/1.1 100 Continue\r\n\r\n${OK_RESPONSE}`)
  })
  const callback = {
    deliveryId: 'd',
    headers: {},
    body: '{}',
    timeoutMs: 20_000,
    isAnswerWanted: true,
  }
  const answer = await postCallback(new URL(receiver.url), callback, NEVER_ABORTED)
  assert.partialDeepStrictEqual(answer, { status: 200, error: null, answer: 'ok' })
})
