import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import { test } from 'node:test'
import { INSTALLATION_FOLDER } from '../../../src/config/load-config.ts'
import { createTestDatabase } from '../../support/database/test-database.ts'
import { openMeetingsClient, startService } from '../../support/meetings/meetings-client.ts'
import {
  createTestDataFolder,
  CURRENT_NODE,
  startServiceProcess,
} from '../../support/service/service-process.ts'
import { MASTER_KEY, startTwoNodes } from '../../support/service/start-nodes.ts'
import { eventually } from '../../support/time/eventually.ts'
import { startRtmsServer, type RtmsServer } from '../../support/zoom/rtms-server.ts'
import {
  FAST_TIMEOUTS,
  sendWebhook,
  startedEvent,
  stoppedEvent,
  ZOOM_SETTINGS,
} from '../../support/zoom/webhooks.ts'
import { spoken } from './open-visit.ts'

type Program = Awaited<ReturnType<typeof openMeetingsClient>>

const PROGRAM = join(INSTALLATION_FOLDER, 'test/support/zoom/serve.ts')
const NUMBER = 81_234_567_890
const LINK = `https://acme.zoom.us/j/${NUMBER}?pwd=secret.1`
const STREAM = { streamId: 'stream-1', meetingUuid: 'uuid/1==' }
const ANA = { user_id: 1, user_name: 'Ana Lopez' }

const extrasFor = (server: RtmsServer) => ({
  zoomTestServers: { origins: [server.origin], timeouts: FAST_TIMEOUTS },
})

/** Zoom starts the stream of a meeting, and says so. */
async function startStream(server: RtmsServer, port: number, stream = STREAM, number = NUMBER) {
  server.open(stream.streamId, stream.meetingUuid, [ANA])
  const event = startedEvent({ ...stream, number, serverUrl: server.signallingUrl })
  assert.equal((await sendWebhook(`http://127.0.0.1:${port}`, event)).status, 200)
}

async function readLines(program: Program, meetingId: string) {
  const { body } = await program.get(`/${meetingId}/transcript`)
  return body as { segments: Array<{ speaker: string; text: string }>; gaps?: unknown[] }
}
async function waitForLine(program: Program, meetingId: string, text: string) {
  await eventually(async () => {
    const { segments } = await readLines(program, meetingId)
    return segments.some((line) => line.text === text) ? true : null
  })
}

test('a Zoom meeting is recorded in spite of faults, with the same events and document as any other', async () => {
  await using server = await startRtmsServer()
  await using service = await startService(ZOOM_SETTINGS, extrasFor(server))
  const { port } = service
  const program = await openMeetingsClient(service)
  // The stream of another meeting, for which nobody asked.
  const unasked = { streamId: 'unasked', meetingUuid: 'uuid-2' }
  await startStream(server, port, unasked, NUMBER + 1)
  const meetingId = await program.start(LINK)
  const forged = startedEvent({ ...STREAM, number: NUMBER, serverUrl: server.signallingUrl })
  assert.equal(
    (await sendWebhook(`http://127.0.0.1:${port}`, forged, { secret: 'no' })).status,
    401,
  )
  await startStream(server, port)
  await program.waitForStatus(meetingId, ['live'])
  const id = STREAM.streamId
  const first = spoken('Ana Lopez', 'Welcome to the review.')
  server.say(id, first)
  await waitForLine(program, meetingId, 'Welcome to the review.')
  server.drop(id, 'media')
  server.say(id, first, spoken('Ben <b>O’Neil</b>', 'The budget is ready.', { id: 2 }))
  await waitForLine(program, meetingId, 'The budget is ready.')
  server.pause(id)
  server.resume(id)
  server.refusals.signalling.push(8)
  server.drop(id, 'signalling')
  server.say(id, spoken('Ana Lopez', 'Thank you all.', { agoMs: 1, lengthMs: 1 }))
  await waitForLine(program, meetingId, 'Thank you all.')
  // A replayed delivery of the start neither restarts nor doubles anything.
  await sendWebhook(`http://127.0.0.1:${port}`, forged)
  server.stop(id, 6)
  await sendWebhook(`http://127.0.0.1:${port}`, stoppedEvent(STREAM, 6))
  const meeting = await program.waitForStatus(meetingId)
  assert.partialDeepStrictEqual(meeting, {
    status: 'ended',
    reason: 'host_ended',
    platform: 'zoom',
    title: `Zoom ${NUMBER}`,
  })
  const { segments, gaps = [] } = await readLines(program, meetingId)
  assert.deepEqual(
    segments.map(({ speaker, text }) => `${speaker}: ${text}`),
    [
      'Ana Lopez: Welcome to the review.',
      'Ben <b>O’Neil</b>: The budget is ready.',
      'Ana Lopez: Thank you all.',
    ],
  )
  assert.ok(gaps.length > 0)
  const events = await program.events(meetingId)
  const types = events.map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'segment_finalized').length, 3)
  const joined = events.filter(({ type }) => type === 'participant_joined')
  assert.deepEqual(joined.map(({ payload }) => String(payload['name'])).toSorted(), [
    'Ana Lopez',
    'Ben <b>O’Neil</b>',
  ])
  const warnings = JSON.stringify(meeting)
  assert.match(warnings, /chat_unavailable/)
  // Nobody asked for the other meeting, so no bot has connected to its stream.
  assert.ok(server.received.every((message) => message['rtms_stream_id'] !== unasked.streamId))
})

test('a stream that began before the meeting was started is read, and its end by the host is named', async () => {
  await using server = await startRtmsServer()
  await using service = await startService(ZOOM_SETTINGS, extrasFor(server))
  await startStream(server, service.port)
  const program = await openMeetingsClient(service)
  const meetingId = await program.start(LINK)
  await program.waitForStatus(meetingId, ['live'])
  await sendWebhook(`http://127.0.0.1:${service.port}`, stoppedEvent(STREAM, 1))
  const meeting = await program.waitForStatus(meetingId)
  assert.partialDeepStrictEqual(meeting, { status: 'ended', reason: 'stream_ended_by_host' })
})

test('a meeting whose stream never begins ends with what is missing', async () => {
  await using server = await startRtmsServer()
  await using service = await startService(ZOOM_SETTINGS, extrasFor(server))
  const program = await openMeetingsClient(service)
  const missing = await program.start(LINK, { leave: { hostTimeout: 1 } })
  assert.partialDeepStrictEqual(await program.waitForStatus(missing), {
    status: 'error',
    reason: 'app_not_installed',
  })
  await startStream(server, service.port, STREAM, NUMBER + 1)
  const late = await program.start(LINK, { leave: { hostTimeout: 1 } })
  const meeting = await program.waitForStatus(late)
  assert.partialDeepStrictEqual(meeting, { status: 'error', reason: 'host_did_not_start' })
  assert.match(String(meeting['detail']), new RegExp(String(NUMBER)))
})

test('two meetings of one Zoom meeting share no stream: the second waits until the first is over', async () => {
  await using server = await startRtmsServer()
  await using nodes = await startTwoNodes(ZOOM_SETTINGS, extrasFor(server))
  const program = await openMeetingsClient(nodes.one)
  const [first, second] = [await program.start(LINK), await program.start(LINK)]
  // The webhook reaches the other node.
  await startStream(server, nodes.two.port)
  const live = await eventually(async () => {
    for (const id of [first, second]) {
      const { body } = await program.get(`/${id}`)
      if ((body['meeting'] as { status: string }).status === 'live') return id
    }
    return null
  })
  assert.equal(server.counts.signalling, 1)
  await program.post('/stop', { meetingId: live })
  await program.waitForStatus(live)
  const other = live === first ? second : first
  await program.waitForStatus(other, ['live'])
  server.stop(STREAM.streamId, 6)
  assert.partialDeepStrictEqual(await program.waitForStatus(other), { reason: 'host_ended' })
})

test('after the node that reads a stream was killed, another node continues without doubled lines', async () => {
  await using server = await startRtmsServer()
  await using database = await createTestDatabase()
  await using folder = createTestDataFolder()
  const common = {
    ...ZOOM_SETTINGS,
    DATABASE_URL: database.url,
    HANSARD_MASTER_KEY: MASTER_KEY,
    HANSARD_DATA: folder.data,
    HANSARD_LOG_LEVEL: 'error',
    HANSARD_RECAP: 'off',
  }
  const extras = extrasFor(server)
  await using api = await startService({ ...common, HANSARD_ROLES: 'api' }, extras)
  const program = await openMeetingsClient(api)
  const command = [...CURRENT_NODE, PROGRAM, server.origin] as const
  const env = { ...folder.env, ...common, HANSARD_ROLES: 'bots' }
  await using killed = await startServiceProcess(env, { command })
  const meetingId = await program.start(LINK)
  await startStream(server, api.port)
  await program.waitForStatus(meetingId, ['live'])
  const id = STREAM.streamId
  const before = [
    spoken('Ana Lopez', 'Yes.', { agoMs: 400, lengthMs: 10 }),
    spoken('Ana Lopez', 'Yes.', { agoMs: 200, lengthMs: 10 }),
  ]
  server.say(id, ...before)
  await eventually(async () =>
    (await readLines(program, meetingId)).segments.length === 2 ? true : null,
  )
  killed.kill('SIGKILL')
  await killed.exited
  await eventually(() => (server.isReady(id) ? null : true))
  // Zoom sends again what it kept.
  server.say(id, ...before, spoken('Ana Lopez', 'Meanwhile.', { agoMs: 1, lengthMs: 1 }))
  await using next = await startService({ ...common, HANSARD_ROLES: 'bots,tasks' }, extras)
  await waitForLine(program, meetingId, 'Meanwhile.')
  server.stop(id, 6)
  await program.waitForStatus(meetingId)
  const { segments, gaps = [] } = await readLines(program, meetingId)
  assert.deepEqual(
    segments.map(({ text }) => text),
    ['Yes.', 'Yes.', 'Meanwhile.'],
  )
  assert.equal(gaps.length, 1)
  assert.ok(next.port > 0)
})
