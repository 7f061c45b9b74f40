import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createClient, HansardError, type MeetingsStartBody } from 'hansard/client'
import type { OpenApiDocument } from '../../scripts/client-operations.ts'
import { generateClientFiles, generateConsoleFiles } from '../../scripts/client-types.ts'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { startLoopbackServer } from '../support/callbacks/loopback-receivers.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { openFlakyProxy } from '../support/http/flaky-proxy.ts'
import type { TestService } from '../support/service/start-service.ts'

let service: TestService
let apiKey: string
before(async () => {
  service = await startService()
  apiKey = (await openMeetingsClient(service)).key['x-api-key']
})
after(() => service[Symbol.asyncDispose]())

const open = (url = `http://127.0.0.1:${service.port}`) => createClient({ url, apiKey })
const START: MeetingsStartBody = {
  url: 'practice://denied?speed=1000',
  callbackUrl: 'http://127.0.0.1:9/hook',
}

type Reply = { status: number; headers?: Record<string, string>; body?: unknown } | 'cut'

/** A server in place of the service that sends one scripted reply for each request. */
async function openScripted(...replies: Reply[]) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    const reply = replies.shift() ?? { status: 500 }
    if (reply === 'cut') return request.socket.destroy()
    const headers = { 'content-type': 'application/json', ...reply.headers }
    return response.writeHead(reply.status, headers).end(JSON.stringify(reply.body ?? {}))
  })
  const { url, [Symbol.asyncDispose]: close } = await startLoopbackServer(server)
  return { client: open(new URL(url).origin), requests, [Symbol.asyncDispose]: close }
}

const refused = (code: string, status: number, headers = {}): Reply => ({
  status,
  headers,
  body: { error: 'No', code, requestId: 'req_1' },
})
const errorOf = (call: Promise<unknown>): Promise<HansardError> =>
  call.then(
    () => assert.fail('the call did not fail'),
    (error: unknown) => {
      assert.ok(error instanceof HansardError, String(error))
      return error
    },
  )

test('the operations and types of both clients match the OpenAPI documents', () => {
  const [api, console] = [service.openapi(), service.openapi('/web')] as OpenApiDocument[]
  assert.ok(api && console)
  const files = { ...generateClientFiles(api), ...generateConsoleFiles(console, api) }
  for (const [name, text] of Object.entries(files)) {
    const hint = `run: node bin/with-node.mjs scripts/client-types.ts --write`
    assert.equal(readFileSync(join(INSTALLATION_FOLDER, name), 'utf8'), text, hint)
  }
})

test('the client generator supports images, streams of named messages and numbers in paths', () => {
  const responses = (type: string) => ({
    200: { content: { [type]: { schema: { type: 'string' } } } },
  })
  const number = { name: 'number', in: 'path', required: true, schema: { type: 'integer' } }
  const files = generateClientFiles({
    components: { schemas: {} },
    paths: {
      '/x/{number}': {
        get: {
          operationId: 'x.get',
          summary: '',
          parameters: [number],
          responses: responses('image/png'),
        },
      },
      '/x/stream': {
        get: {
          operationId: 'x.stream',
          summary: '',
          parameters: [],
          responses: responses('text/event-stream'),
        },
      },
    },
  })
  assert.match(files['client/operations.js'] ?? '', /path: '\/x\/\{number\}', isBinary: true/)
  assert.match(files['client/operations.js'] ?? '', /streams: 'messages'/)
  const types = files['client/api.d.ts'] ?? ''
  assert.match(types, /get\(number: number, options\?: CallOptions\): Promise<Blob>/)
  assert.match(
    types,
    /stream\(options\?: StreamOptions\): AsyncGenerator<StreamMessage, void, undefined>/,
  )
})

test('a program runs a whole meeting with the client', async () => {
  const client = open()
  const { token } = await client.token.get()
  assert.equal(token.name, 'test')
  const { meetingId, status } = await client.meetings.start({
    ...START,
    url: 'practice://standup?speed=1000',
    title: 'Stand-up & more?',
  })
  assert.equal(status, 'joining')
  const words: string[] = []
  for await (const event of client.meetings.events(meetingId, {}, { partials: false })) {
    if (event.type === 'segment_finalized') words.push(event.payload.text)
  }
  const transcript = await client.meetings.transcript(meetingId)
  // Events come in the order in which captions became final, the transcript has the order in which they were said.
  assert.deepEqual(transcript.segments.map(({ text }) => text).toSorted(), words.toSorted())
  assert.match(await client.meetings.transcript(meetingId, { format: 'vtt' }), /^WEBVTT/)
  assert.match(await client.meetings.document(meetingId), /^---\n/)
  const { meetings } = await client.meetings.list({ q: 'up & more?', limit: 1 })
  assert.equal(meetings[0]?.meetingId, meetingId)
  assert.equal((await client.meetings.stop({ meetingId })).status, 'ended')
  const { events } = await client.meetings.readEvents(meetingId, { limit: 1000, wait: 1 })
  assert.equal(events.at(-1)?.sequence, events.length)
  assert.ok((await client.deliveries.list({ meeting: meetingId })).deliveries.length > 0)
  assert.ok((await client.meetings.replay(meetingId)).events > 0)
  assert.equal((await client.meetings.remove(meetingId)).success, true)
  assert.equal((await errorOf(client.meetings.get(meetingId))).code, 'meeting_not_found')
})

test('a program saves a document, finds it by search and removes it', async () => {
  const { projects, search } = open()
  const path = 'how to/Grüße & 100%.md'
  const { document } = await projects.saveDocument('handbook', path, '# Umbrella\n\nIn the hall.')
  assert.equal(document.path, path)
  assert.match(await projects.document('handbook', path), /In the hall/)
  const { results } = await search.find({ q: 'umbrella', project: 'handbook' })
  assert.equal(results[0]?.path, path)
  const unseen = { headers: { 'if-none-match': '*' } }
  const error = await errorOf(projects.saveDocument('handbook', path, 'other', unseen))
  assert.equal(error.code, 'precondition_failed')
  await projects.removeDocument('handbook', path)
  for (const bad of ['../x', 'a//b', './a']) {
    assert.throws(() => void projects.document('handbook', bad), TypeError)
  }
})

test('a rejected call throws an error with code, status, fields and request id', async () => {
  const error = await errorOf(open().meetings.start({ ...START, title: '', project: '/' }))
  assert.equal(error.code, 'invalid_request')
  assert.equal(error.status, 400)
  assert.match(error.requestId ?? '', /^req_/)
  assert.deepEqual(error.details.map(({ path }) => path).toSorted(), ['project', 'title'])
  const unauthenticated = createClient({ url: service.url, apiKey: 'sk_wrong' })
  assert.equal((await errorOf(unauthenticated.token.get())).code, 'invalid_api_key')
})

test('a path parameter cannot change the path of a call', async () => {
  const { meetings } = open()
  assert.equal((await errorOf(meetings.get('../token?x=1#'))).code, 'meeting_not_found')
  for (const id of ['', '.', '..']) assert.throws(() => void meetings.get(id), TypeError)
})

test('a start whose response was lost is retried with the same key and starts one meeting', async () => {
  const title = 'Lost response'
  // The request arrives, but only the first byte of the response.
  await using proxy = await openFlakyProxy(service.port, (nth) => (nth <= 2 ? 1 : null))
  const { meetingId } = await open(proxy.url).meetings.start({ ...START, title })
  assert.ok(proxy.connections() >= 3)
  const { meetings } = await open().meetings.list({ q: title })
  assert.deepEqual(
    meetings.map((meeting) => meeting.meetingId),
    [meetingId],
  )
})

test('a call without an Idempotency-Key is not retried after its response was lost', async () => {
  await using scripted = await openScripted('cut')
  const error = await errorOf(scripted.client.meetings.replay('meeting_1'))
  assert.deepEqual([error.code, error.status], ['no_connection', 0])
  assert.equal(scripted.requests.length, 1)
})

test('a call that was rejected before processing is retried after Retry-After', async () => {
  const later = { 'retry-after': '1' }
  await using scripted = await openScripted(
    refused('too_many_requests', 429, later),
    refused('shutting_down', 503, later),
    { status: 202, body: { replayId: 'r', from: 1, to: 1, events: 1 } },
  )
  const began = performance.now()
  assert.equal((await scripted.client.meetings.replay('meeting_1')).replayId, 'r')
  // A timer can fire slightly early by the clock that measures it.
  assert.ok(performance.now() - began > 1_950)
})

test('a Retry-After above the maximum wait throws the error', async () => {
  await using scripted = await openScripted(
    refused('too_many_requests', 429, { 'retry-after': '3600' }),
  )
  const error = await errorOf(scripted.client.token.get())
  assert.deepEqual([error.code, error.retryAfterMs], ['too_many_requests', 3_600_000])
})

test('a read is retried after transient errors, up to the number of retries', async () => {
  const token = { status: 200, body: { token: { name: 'x' } } }
  await using recovering = await openScripted('cut', { status: 502 }, token)
  assert.equal((await recovering.client.token.get()).token.name, 'x')
  await using broken = await openScripted()
  const error = await errorOf(broken.client.token.get({ retries: 2 }))
  assert.deepEqual([error.code, error.status], ['not_this_service', 500])
  assert.equal(broken.requests.length, 3)
})

test('the client does not send the API key to the target of a redirect', async () => {
  await using scripted = await openScripted({ status: 307, headers: { location: '/elsewhere' } })
  assert.equal((await errorOf(scripted.client.token.get())).code, 'redirected')
  assert.equal(scripted.requests.length, 1)
})

test('an abort signal ends a call, a retry delay and a stream with the reason of the caller', async () => {
  await using scripted = await openScripted('cut', 'cut', 'cut', 'cut', 'cut')
  const reason = new Error('enough')
  const ended = AbortSignal.abort(reason)
  await assert.rejects(open().token.get({ signal: ended }), reason)
  const later = new AbortController()
  const waiting = scripted.client.token.get({ signal: later.signal, retries: 100 })
  later.abort(reason)
  await assert.rejects(waiting, reason)
  const quiet = open().events.stream({}, { signal: later.signal })
  await assert.rejects(quiet.next(), reason)
})
