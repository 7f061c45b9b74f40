import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createClient, type StreamMessage } from 'hansard/client'
import type { ApiAnswer } from '../../src/http/shapes/ask.ts'
import { openForFile } from '../support/open-for-file.ts'
import { openModelServer, type ModelServerReply } from '../support/tasks/model-server.ts'
import { eventually } from '../support/time/eventually.ts'
import { openAskService, type AskEvent } from './ask-service.ts'

const PUMP = {
  name: 'pump',
  title: 'Pump',
  lines: [
    { speaker: 'Ada', text: 'The walrus pump is broken.' },
    { speaker: 'Ben', text: 'A new one costs nine hundred euros.' },
  ],
}
const QUESTION = 'What does the walrus pump cost?'

/** A service with the meeting, and with a model whose answers the test chooses. */
const shared = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  let reply: () => ModelServerReply = () => ({})
  const server = stack.use(await openModelServer(() => reply()))
  const opened = stack.use(await openAskService(server.url))
  const meetingId = await opened.addMeeting(PUMP)
  const moved = stack.move()
  return {
    opened,
    server,
    meetingId,
    answerWith(next: typeof reply) {
      reply = next
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
})

async function collect(events: AsyncIterable<AskEvent>): Promise<AskEvent[]> {
  const all: AskEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

test('a stream has the passages, then each checked sentence before the next is written, then the answer', async () => {
  const steps = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let words = 0
  const { opened, meetingId, answerWith } = shared()
  answerWith(() => ({
    words: ['It is broken [1]. It ', 'is a pity. It costs 900 euros [2].'],
    beforeEachWord: async () => steps[words++]?.promise,
  }))
  const events = opened.stream({ question: QUESTION })
  const next = async () => (await events.next()).value as AskEvent
  const passages = await next()
  assert.equal(passages.event, 'passages')
  assert.partialDeepStrictEqual(passages.data, {
    question: QUESTION,
    passages: [{ number: 1, meetingId, segmentNumber: 1, after: [{ number: 2 }] }],
  })
  steps[0]?.resolve()
  const first = await next()
  assert.equal(first.event, 'sentence')
  assert.partialDeepStrictEqual(first.data, {
    text: 'It is broken.',
    citationNumbers: [1],
    citations: [{ number: 1, meetingId, segmentNumber: 1, text: PUMP.lines[0]?.text }],
  })
  steps[1]?.resolve()
  const rest = await collect(events)
  assert.deepEqual(
    rest.map(({ event }) => event),
    ['sentence', 'done'],
  )
  assert.equal(rest[0]?.data['text'], 'It costs 900 euros.')
  const done = rest[1]?.data as unknown as ApiAnswer
  assert.equal(done.answer, 'It is broken. [1] It costs 900 euros. [2]')
  assert.deepEqual(
    [done.droppedSentences, done.citations.length, done.inputTokens, done.method],
    [1, 2, 120, 'model'],
  )
})

test('the model is not asked any further when the client leaves, and its tokens are recorded', async () => {
  const { opened, server, answerWith } = shared()
  answerWith(() => ({ words: ['It is broken [1]. It costs '], breaksBy: 'hang' }))
  for (const isStreamed of [true, false]) {
    const before = await readUsage()
    const [requests, aborted] = [server.requests.length, server.countAbortedResponses()]
    const leave = new AbortController()
    const asked = isStreamed
      ? collect(opened.stream({ question: QUESTION }, leave.signal))
      : opened.post({ question: QUESTION }, 'application/json', leave.signal)
    await eventually(() => (server.requests.length === requests + 1 ? true : null))
    assert.equal(server.countAbortedResponses(), aborted)
    leave.abort()
    await assert.rejects(asked, { name: 'AbortError' })
    await eventually(() => (server.countAbortedResponses() === aborted + 1 ? true : null))
    const now = await eventually(async () => {
      const usage = await readUsage()
      return usage.estimated === before.estimated + 1 ? usage : null
    })
    assert.ok(now.inputTokens > before.inputTokens)
  }
})

/** The tokens of all answers, and how many answers have estimated ones. */
async function readUsage(): Promise<{ inputTokens: number; estimated: number }> {
  const { body } = await shared().opened.program.ask('GET', '/usage')
  const [row] = body['usage'] as Array<{ inputTokens: number; estimated: number }>
  return row ?? { inputTokens: 0, estimated: 0 }
}

test('a bad question gets an ordinary error also when a stream is asked for', async () => {
  const { opened } = shared()
  const statusOf = async (body: { question: string; project?: string }) => {
    const response = await opened.post(body, 'text/event-stream')
    return [response.status, ((await response.json()) as { code: string }).code]
  }
  assert.deepEqual(await statusOf({ question: ' ' }), [400, 'invalid_request'])
  assert.deepEqual(await statusOf({ question: 'a', project: 'none' }), [404, 'project_not_found'])
})

test('a refused stream leaves no question behind that counts as being answered', async () => {
  await using server = await openModelServer(() => ({ words: ['It '], breaksBy: 'hang' }))
  await using opened = await openAskService(server.url, { HANSARD_STREAMS_PER_CALLER: '1' })
  await opened.addMeeting(PUMP)
  const leave = new AbortController()
  const first = opened.stream({ question: QUESTION }, leave.signal)
  assert.equal((await first.next()).value?.event, 'passages')
  await eventually(() => (server.requests.length === 1 ? true : null))
  for (let i = 0; i < 17; i += 1) {
    const response = await opened.post({ question: QUESTION }, 'text/event-stream')
    assert.equal(response.status, 429)
    assert.match(((await response.json()) as { error: string }).error, /1 event streams open/)
  }
  leave.abort()
  await assert.rejects(first.next(), { name: 'AbortError' })
  assert.equal(server.requests.length, 1)
})

test('without a model, a stream ends with the passages, and the console asks on its own path, with a session', async () => {
  await using opened = await openAskService(null)
  const meetingId = await opened.addMeeting(PUMP)
  const events = await collect(opened.stream({ question: QUESTION }))
  assert.deepEqual(
    events.map(({ event, data }) => [event, data['reason']]),
    [
      ['passages', undefined],
      ['done', 'no_model'],
    ],
  )
  const { status, body } = await opened.program.admin.post('/web/ask', { question: QUESTION })
  assert.equal(status, 200)
  const { passages } = body as unknown as ApiAnswer
  assert.equal(passages[0]?.link, `/web/meetings/${meetingId}/transcript?after=0`)
  const anonymous = await opened.service.anonymousClient().post('/web/ask', { question: QUESTION })
  assert.equal(anonymous.status, 401)
})

test('an assistant gets the answer of the model with the cited lines', async () => {
  const { opened, meetingId, answerWith } = shared()
  answerWith(() => ({ words: ['It costs 900 euros [2].'] }))
  const response = await fetch(`http://127.0.0.1:${opened.service.port}/mcp`, {
    method: 'POST',
    headers: {
      ...opened.program.key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'ask', arguments: { question: QUESTION, meetingId } },
    }),
  })
  const [, json = '{}'] = /(\{.*\})/s.exec(await response.text()) ?? []
  assert.partialDeepStrictEqual(JSON.parse(json), {
    result: {
      structuredContent: {
        found: true,
        method: 'model',
        answer: 'It costs 900 euros. [2]',
        droppedSentences: 0,
        citations: [{ number: 2, meetingId, segmentNumber: 2 }],
        passages: [],
      },
    },
  })
})

test('the client answers a question at once or as a stream, which is not opened again', async () => {
  const { opened, answerWith } = shared()
  answerWith(() => ({ words: ['It costs 900 euros [2].'] }))
  const url = `http://127.0.0.1:${opened.service.port}`
  const apiKey = opened.program.key['x-api-key']
  const client = createClient({ url, apiKey })
  assert.equal(
    (await client.ask.question({ question: QUESTION })).answer,
    'It costs 900 euros. [2]',
  )
  const messages: StreamMessage[] = []
  for await (const message of client.ask.stream({ question: QUESTION })) messages.push(message)
  assert.deepEqual(
    messages.map(({ event }) => event),
    ['passages', 'sentence', 'done'],
  )
  let calls = 0
  const cutting = createClient({
    url,
    apiKey,
    fetch: async () => {
      calls += 1
      const headers = { 'content-type': 'text/event-stream' }
      return new Response('event: passages\ndata: {}\n\n', { headers })
    },
  })
  await assert.rejects(Array.fromAsync(cutting.ask.stream({ question: QUESTION })), {
    code: 'no_connection',
  })
  assert.equal(calls, 1)
  for (const code of ['internal', 'shutting_down']) {
    calls = 0
    const failing = createClient({
      url,
      apiKey,
      fetch: async () => {
        calls += 1
        const error = `event: error\ndata: {"error":"No","code":"${code}","requestId":"r"}\n\n`
        const headers = { 'content-type': 'text/event-stream' }
        return new Response(`event: passages\ndata: {}\n\n${error}`, { headers })
      },
    })
    const streamed = Array.fromAsync(failing.ask.stream({ question: QUESTION }))
    await assert.rejects(streamed, { code, message: 'No' })
    assert.equal(calls, 1)
  }
})
