import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { pino } from 'pino'
import {
  currentTraceParent,
  parseTraceIds,
  parseTraceParent,
  readTraceHeaders,
  readTraceLogFields,
  toTraceHeaders,
} from '../../src/lib/tracer.ts'
import { EVENT_TYPES } from '../../src/meetings/event-types.ts'
import { traceCommit } from '../../src/meetings/record/traced-record.ts'
import { createExportingTracer, type SamplerName } from '../../src/telemetry/traces.ts'
import { openRecapService } from '../recap/recap-client.ts'
import { openChatServer } from '../support/callbacks/chat-server.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { mailSettings, openMailServer } from '../support/mail/mail-server.ts'
import { openMeetingsClient } from '../support/meetings/meetings-client.ts'
import {
  attributesOf,
  openOtlpCollector,
  readProtobuf,
  settingsFor,
  type CollectedSpan,
} from '../support/otlp-collector.ts'
import { MASTER_KEY } from '../support/service/start-nodes.ts'
import { startService } from '../support/service/start-service.ts'
import { openModelServer, SAMPLE_USAGE } from '../support/tasks/model-server.ts'
import { createTaskCalls, createTaskDataFolder } from '../support/tasks/task-service.ts'

const TRACE_ID = 'a'.repeat(32)
const GIVEN = `00-${TRACE_ID}-${'b'.repeat(16)}-01`
const STATE = 'vendor=a1,tenant@other=b 2'

/** Words that are in captions, prompts, answers, names and URLs, and in no trace. */
const PLANTED = [
  'plantedprompt',
  'plantedanswer',
  'plantedtitle',
  'plantedtask',
  'plantedquery',
  'plantedkey',
  'admin@example',
]

function openTestTracer(exported: ReadableSpan[], name: SamplerName = 'parentbased_always_on') {
  return createExportingTracer({
    resource: resourceFromAttributes({}),
    version: '1',
    clock: { now: () => new Date() },
    sampler: { name, ratio: 1 },
    batchDelayMs: 10,
    exportTimeoutMs: 1_000,
    async exportSpans(spans) {
      exported.push(...spans)
      return true
    },
  })
}

test('a meeting, its callbacks, its recap and the task after it are one trace over three nodes', async () => {
  await using stack = new AsyncDisposableStack()
  const collector = stack.use(await openOtlpCollector())
  const model = stack.use(await openModelServer(() => ({ words: ['plantedanswer'] })))
  const database = stack.use(await createTestDatabase())
  const prompt = '---\ntools: []\n---\nplantedprompt'
  const data = stack.use(createTaskDataFolder({ report: prompt }))
  const receiver = stack.use(await openRecordingReceiver())
  const lines: string[] = []
  const log = pino(
    { level: 'info', base: null, mixin: readTraceLogFields },
    { write: (line: string) => void lines.push(line) },
  )
  const env = {
    ...settingsFor(collector),
    DATABASE_URL: database.url,
    HANSARD_DATA: data.path,
    HANSARD_MASTER_KEY: MASTER_KEY,
    HANSARD_RECAP: 'on',
    HANSARD_AI_MODEL: 'openai-compatible/test-model',
    HANSARD_AI_BASE_URL: model.url,
    HANSARD_AI_API_KEY: 'plantedkey1234567890',
    HANSARD_AI_RECAP_MODEL: 'off',
  }
  const start = async (roles: string) => {
    const own = { HANSARD_ROLES: roles, OTEL_SERVICE_NAME: roles }
    return stack.use(await startService({ ...env, ...own }, {}, log))
  }
  await start('bots')
  const api = await start('api')
  await start('tasks')

  const program = await openMeetingsClient(api)
  receiver.trustSecrets(program.signingSecret)
  const work = createTaskCalls(api.url, api.anonymousClient(), program.key['x-api-key'])
  const trigger = { on: 'meeting_ended' }
  await work.create({ name: 'plantedtask', promptName: 'report', trigger })
  const { status, body } = await program.post(
    '/start',
    {
      url: 'practice://standup?speed=100',
      title: 'plantedtitle',
      events: EVENT_TYPES,
      callbackUrl: `${receiver.urlFor('/hook')}?token=plantedquery`,
    },
    { traceparent: GIVEN, tracestate: STATE },
  )
  assert.equal(status, 201, JSON.stringify(body))
  const meetingId = String(body['meetingId'])
  await program.waitForStatus(meetingId)

  const names = [
    'POST /api/v1/meetings/start',
    'claim meeting',
    'join meeting',
    'change status',
    'store captions',
    'commit',
    'deliver segment_finalized',
    'make recap',
    'deliver recap_ready',
    'run task',
    'chat test-model',
  ]
  const ofTrace = () => collector.spans().filter(({ traceId }) => traceId === TRACE_ID)
  for (const name of names)
    await collector.waitForSpan((span) => span.name === name && span.traceId === TRACE_ID)
  const spans = ofTrace()
  const one = (name: string) => spans.find((span) => span.name === name) as CollectedSpan
  const root = one('POST /api/v1/meetings/start')
  assert.equal(root.parentSpanId, 'b'.repeat(16))
  for (const name of ['claim meeting', 'join meeting', 'make recap', 'run task', 'store captions'])
    assert.equal(one(name).parentSpanId, root.spanId, name)
  const batches = new Set(
    spans.filter(({ name }) => name === 'store captions').map(({ spanId }) => spanId),
  )
  assert.ok(
    spans.some(({ name, parentSpanId = '' }) => name === 'commit' && batches.has(parentSpanId)),
  )
  assert.equal(one('chat test-model').parentSpanId, one('run task').spanId)
  assert.deepEqual(
    ['POST /api/v1/meetings/start', 'claim meeting', 'run task'].map((name) => one(name).service),
    ['api', 'bots', 'tasks'],
  )
  const chat = attributesOf(one('chat test-model'))
  assert.partialDeepStrictEqual(chat, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai-compatible',
    'gen_ai.request.model': 'test-model',
    'gen_ai.usage.input_tokens': SAMPLE_USAGE.prompt_tokens,
    'gen_ai.usage.output_tokens': SAMPLE_USAGE.completion_tokens,
  })

  // Each callback names the step that sent it. A partial caption names the step that began the meeting.
  for (const { headers, event } of receiver.callsFor(meetingId)) {
    const { traceId, spanId } = parseTraceIds(String(headers['traceparent']))
    assert.deepEqual([traceId, headers['tracestate']], [TRACE_ID, STATE])
    const sender = await collector.waitForSpan((span) => span.spanId === spanId)
    const isPartial = event.type === 'caption_partial'
    assert.equal(sender.name, isPartial ? root.name : `deliver ${event.type}`)
  }
  const ended = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'meeting ended')
  assert.deepEqual([ended.trace_id, ended.span_id], [TRACE_ID, root.spanId])

  await stack.disposeAsync()
  const everything = collector.requests.map((request) => request.body.toString()).join()
  const said = receiver.calls.flatMap(({ event }) =>
    event.type === 'segment_finalized' ? [event.payload as { speaker: string; text: string }] : [],
  )
  assert.ok(said.length > 3)
  const secrets = [...PLANTED, ...said.flatMap(({ speaker, text }) => [speaker, text])]
  assert.deepEqual(
    secrets.filter((word) => everything.includes(word)),
    [],
  )
  const metrics = new Set(collector.metrics().map(({ name }) => name))
  assert.ok(metrics.has('hansard_segments_total') && metrics.has('hansard_meetings'))
})

test('a traceparent is continued only if it is valid and its caller is authenticated', async () => {
  await using collector = await openOtlpCollector()
  await using service = await startService(settingsFor(collector))
  const program = await openMeetingsClient(service)
  const ask = (path: string, traceparent: string, key: Record<string, string>) =>
    service.anonymousClient().get(path, { ...key, traceparent })
  await ask('/api/v1/meetings', GIVEN, {})
  await ask('/web/state', GIVEN, {})
  for (const invalid of [
    GIVEN.toUpperCase(),
    `${GIVEN}-00`,
    GIVEN.replace(TRACE_ID, '0'.repeat(32)),
    `ff${GIVEN.slice(2)}`,
    `${GIVEN}, ${GIVEN}`,
    '',
    "'; drop table meeting",
  ])
    await ask('/api/v1/meetings', invalid, program.key)
  const answer = await ask('/api/v1/meetings?limit=1', GIVEN.replace('-01', '-00'), program.key)
  assert.equal(answer.status, 200)
  await ask('/api/v1/meetings', GIVEN, program.key)
  await collector.waitForSpan(({ traceId }) => traceId === TRACE_ID)
  const requests = collector.spans().filter(({ name }) => name === 'GET /api/v1/meetings')
  // The one without the flag of sampling is not recorded.
  assert.equal(requests.filter(({ traceId }) => traceId === TRACE_ID).length, 1)
  assert.equal(requests.length, 8)
})

test('a mail and a message to a chat are steps of the trace of their meeting', async () => {
  await using stack = new AsyncDisposableStack()
  const collector = stack.use(await openOtlpCollector())
  const server = stack.use(await openMailServer())
  const chat = stack.use(await openChatServer())
  const { program, waitForRecap } = stack.use(
    await openRecapService({ ...settingsFor(collector), ...mailSettings(server) }),
  )
  const project = { project: 'plans' }
  await program.waitForStatus(await program.start('practice://standup?speed=1000', project))
  const settings = await program.ask('PATCH', '/projects/plans/recap-settings', {
    recapMail: 'members',
  })
  assert.equal(settings.status, 200)
  const added = await program.ask('POST', '/projects/plans/notifications', {
    name: 'Channel',
    format: 'slack',
    url: chat.url('/plantedquery'),
    topics: ['recaps'],
  })
  assert.equal(added.status, 201, JSON.stringify(added.body))

  const { status, body } = await program.post(
    '/start',
    {
      url: 'practice://standup?speed=1000',
      title: 'plantedtitle',
      callbackUrl: 'http://127.0.0.1:9/hook',
      ...project,
    },
    { traceparent: GIVEN },
  )
  assert.equal(status, 201, JSON.stringify(body))
  await waitForRecap(String(body['meetingId']))
  await server.waitForMails(1)
  await chat.waitFor('/plantedquery')
  const find = (name: string) =>
    collector.waitForSpan((span) => span.name === name && span.traceId === TRACE_ID)
  const recap = await find('make recap')
  const [mail, message] = [await find('send mail'), await find('deliver message')]
  for (const { parentSpanId, name } of [mail, message])
    assert.equal(parentSpanId, recap.spanId, name)
  assert.partialDeepStrictEqual(attributesOf(mail), { 'hansard.mail.kind': 'recap' })
  assert.partialDeepStrictEqual(attributesOf(message), {
    'hansard.notification.format': 'slack',
    'hansard.meeting.id': body['meetingId'],
  })
  assert.equal(chat.messages[0]?.headers['traceparent'], undefined)
  await stack.disposeAsync()
  const everything = collector.requests.map((request) => request.body.toString()).join()
  assert.deepEqual(
    [...PLANTED, 'ada@example.com'].filter((word) => everything.includes(word)),
    [],
  )
})

test('a commit is one step with links to the steps of all its meetings', async () => {
  const exported: ReadableSpan[] = []
  const { tracer, flush } = openTestTracer(exported)
  const change = { lease: { meetingId: '', fence: 1 }, lastSequence: 0, reservedSequence: 0 }
  const unrecorded = GIVEN.replace('-01', '-00')
  const others = [GIVEN.replaceAll('a', 'c'), GIVEN.replaceAll('a', 'd')]
  const causes = [unrecorded, null, GIVEN, ...others, GIVEN]
  const changes = causes.map((traceParent) => ({
    traceParent,
    change: {
      ...change,
      events: [{ sequence: 1, type: 'meeting_status' as const, at: new Date(), body: '' }],
    },
  }))
  const inside = await traceCommit(tracer, changes, async () => currentTraceParent())
  await flush()
  const [span, ...more] = exported
  assert.ok(span !== undefined && more.length === 0)
  const { name, parentSpanContext, links, attributes } = span
  assert.deepEqual([name, parentSpanContext?.traceId], ['commit', TRACE_ID])
  assert.equal(parseTraceIds(inside ?? '').spanId, span.spanContext().spanId)
  assert.deepEqual(
    links.map(({ context }) => context.traceId),
    [...others.map((other) => parseTraceIds(other).traceId), TRACE_ID],
  )
  assert.deepEqual(attributes, {
    'hansard.changes': 6,
    'hansard.segments': 0,
    'hansard.events': 6,
  })
})

test('a trace that is not recorded is continued without steps', async () => {
  const exported: ReadableSpan[] = []
  const { tracer, flush } = openTestTracer(exported)
  const parent = `${GIVEN.replace('-01', '-00')} ${STATE}`
  const seen = await tracer.run('step', { parent }, async () => currentTraceParent())
  assert.equal(seen, parent)
  const root = openTestTracer(exported, 'parentbased_always_off')
  const begun = await root.tracer.run('step', { parent: null }, async () => currentTraceParent())
  assert.match(begun ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  const own = openTestTracer(exported, 'always_on')
  const recorded = await own.tracer.run('step', { parent }, async () => currentTraceParent())
  assert.match(recorded ?? '', new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01 ${STATE}$`))
  for (const each of [{ flush }, root, own]) await each.flush()
  assert.deepEqual(
    exported.map(({ name, parentSpanContext }) => [name, parentSpanContext?.spanId]),
    [['step', 'b'.repeat(16)]],
  )
})

test('a valid tracestate is passed on, and an invalid one is left out', () => {
  const read = (tracestate: unknown) => readTraceHeaders({ traceparent: GIVEN, tracestate })
  for (const valid of [STATE, 'a=1', '0a@b=~', 'k=!', `k=${'v'.repeat(256)}`])
    assert.deepEqual(toTraceHeaders(read(valid)), { traceparent: GIVEN, tracestate: valid })
  assert.equal(read(' a=1 , ,b=2'), `${GIVEN} a=1,b=2`)
  const tooMany = Array.from({ length: 33 }, (_, i) => `k${i}=v`).join()
  const invalid = [
    'a',
    'A=1',
    'a=b=c',
    'a=é',
    'a=\r\nx: y',
    'a=\u0000',
    '=1',
    `a=${'v'.repeat(600)}`,
    tooMany,
  ]
  for (const one of [...invalid, undefined, ['a=1'], ''])
    assert.deepEqual(toTraceHeaders(read(one)), { traceparent: GIVEN }, String(one))
  assert.equal(readTraceHeaders({ tracestate: STATE }), null)
  assert.deepEqual(toTraceHeaders(null), {})
})

test('a later version of traceparent is read as the first one', () => {
  assert.equal(parseTraceParent(`01${GIVEN.slice(2)}-more`), GIVEN)
  assert.equal(parseTraceParent(`01${GIVEN.slice(2)}more`), null)
  assert.equal(parseTraceParent(undefined), null)
})

test('spans and metrics are also sent as protobuf, with the headers of the settings', async () => {
  await using collector = await openOtlpCollector()
  const env = {
    ...settingsFor(collector),
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector,x-tenant=t',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  }
  {
    await using service = await startService(env)
    const program = await openMeetingsClient(service)
    await program.get('')
  }
  const { headers } = collector.requests[0] ?? assert.fail('nothing was sent')
  assert.equal(headers['content-type'], 'application/x-protobuf')
  assert.equal(headers.authorization, 'Bearer of-the-collector')
  assert.equal(headers['x-tenant'], 't')
  /** Each level of these messages is in the field with this number. */
  const descend = (path: string, ...numbers: number[]) =>
    numbers.reduce(
      (found, number) => found.flatMap((part) => readProtobuf(part).get(number) ?? []),
      collector.requests.filter((one) => one.path === path).map(({ body }) => body),
    )
  const names = descend('/v1/traces', 1, 2, 2, 5).map(String)
  assert.ok(names.includes('GET /api/v1/meetings'), names.join())
  for (const id of descend('/v1/traces', 1, 2, 2, 1)) assert.equal(id.length, 16)
  assert.ok(descend('/v1/metrics', 1, 2, 2, 1).map(String).includes('hansard_meetings_queued'))
  assert.ok(descend('/v1/traces', 1, 1, 1, 1).map(String).includes('deployment.environment.name'))
})
