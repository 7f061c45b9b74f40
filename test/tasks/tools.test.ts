import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { z } from 'zod'
import {
  ModelFailure,
  type ModelListener,
  type ModelRequest,
  type TokenCount,
} from '../../src/ai/model.ts'
import { createSdkModel } from '../../src/ai/sdk/sdk-model.ts'

type Stream = Awaited<ReturnType<MockLanguageModelV4['doStream']>>
type Part = Stream['stream'] extends ReadableStream<infer P> ? P : never

/** One round trip in which the model answers with text or a tool call. */
function createRoundTrip(content: {
  text?: string
  call?: { name: string; input: object }
}): Stream {
  const { text, call } = content
  const chunks: Part[] = [{ type: 'stream-start', warnings: [] }]
  if (text !== undefined) {
    chunks.push(
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: text },
      { type: 'text-end', id: '1' },
    )
  }
  if (call !== undefined) {
    const input = JSON.stringify(call.input)
    chunks.push({ type: 'tool-call', toolCallId: 'c', toolName: call.name, input })
  }
  chunks.push({
    type: 'finish',
    finishReason: { unified: call === undefined ? 'stop' : 'tool-calls', raw: undefined },
    usage: {
      inputTokens: { total: 100, noCache: 90, cacheRead: 10, cacheWrite: undefined },
      outputTokens: { total: 20, text: 20, reasoning: undefined },
    },
  })
  return { stream: simulateReadableStream({ chunks }) }
}

function createListener(): ModelListener & { texts: string[]; counts: TokenCount[] } {
  const [texts, counts]: [string[], TokenCount[]] = [[], []]
  return {
    texts,
    counts,
    onText: (text) => void texts.push(text),
    onStep: () => undefined,
    onTokens: (count) => void counts.push(count),
  }
}

const toolInputs: string[] = []
const request: ModelRequest = {
  system: 'Be brief',
  prompt: 'Look it up',
  tools: [
    {
      name: 'look_up',
      description: 'Looks up',
      input: z.object({ word: z.string() }),
      async run(input) {
        toolInputs.push(JSON.stringify(input))
        return 'found'
      },
    },
  ],
  temperature: undefined,
  maxOutputTokens: 100,
  maxSteps: 5,
  maxTokens: 100_000,
}
const neverAborted = new AbortController().signal
const call = { name: 'look_up', input: { word: 'x' } }

test('a tool call is run, its result is sent to the model, and every round trip is counted', async () => {
  const steps = [
    createRoundTrip({ text: 'Let me look.', call }),
    createRoundTrip({ text: 'It is found.' }),
  ]
  const mock = new MockLanguageModelV4({
    doStream: async () => steps.shift() ?? createRoundTrip({}),
  })
  const listener = createListener()
  const text = await createSdkModel('mock/m', mock, null).answer(request, listener, neverAborted)
  assert.equal(text, 'It is found.')
  assert.deepEqual(toolInputs.splice(0), ['{"word":"x"}'])
  assert.deepEqual(listener.texts, ['Let me look.', 'It is found.'])
  assert.deepEqual(listener.counts, [
    { inputTokens: 100, cachedInputTokens: 10, outputTokens: 20 },
    { inputTokens: 100, cachedInputTokens: 10, outputTokens: 20 },
  ])
  assert.match(JSON.stringify(mock.doStreamCalls[1]?.prompt), /found/)
})

test('a model that only calls tools is stopped after maxSteps or maxTokens', async () => {
  for (const [limit, rounds] of [
    [{ maxSteps: 3 }, 3],
    [{ maxTokens: 200 }, 2],
  ] as const) {
    const mock = new MockLanguageModelV4({ doStream: async () => createRoundTrip({ call }) })
    const model = createSdkModel('mock/m', mock, null)
    await assert.rejects(
      model.answer({ ...request, ...limit }, createListener(), neverAborted),
      (error) => error instanceof ModelFailure && /gave no text/.test(error.message),
    )
    assert.equal(mock.doStreamCalls.length, rounds)
  }
})

test('text that a model wrote before it used up maxTokens is its answer', async () => {
  const mock = new MockLanguageModelV4({
    doStream: async () => createRoundTrip({ text: 'So far.', call }),
  })
  const model = createSdkModel('mock/m', mock, null)
  assert.equal(
    await model.answer({ ...request, maxTokens: 1 }, createListener(), neverAborted),
    'So far.',
  )
})

test('invalid tool input is reported to the model and never reaches the tool', async () => {
  toolInputs.length = 0
  const steps = [
    createRoundTrip({ call: { name: 'look_up', input: { word: 7 } } }),
    createRoundTrip({ call: { name: 'delete_all', input: {} } }),
    createRoundTrip({ text: 'Sorry.' }),
  ]
  const mock = new MockLanguageModelV4({
    doStream: async () => steps.shift() ?? createRoundTrip({}),
  })
  const text = await createSdkModel('mock/m', mock, null).answer(
    request,
    createListener(),
    neverAborted,
  )
  assert.equal(text, 'Sorry.')
  assert.deepEqual(toolInputs, [])
})

test('the message of a model failure never contains the API key', async () => {
  const secret = { value: 'top-secret-value', setting: 'SOME_KEY' }
  const mock = new MockLanguageModelV4({
    doStream: async () => {
      throw new Error('bad header top-secret-value and sk-abcdef123456')
    },
  })
  const model = createSdkModel('mock/m', mock, secret)
  await assert.rejects(model.answer(request, createListener(), neverAborted), (error) => {
    assert.ok(error instanceof ModelFailure)
    const all = `${error.message} ${String(error.cause)} ${error.stack}`
    assert.ok(!all.includes('top-secret-value') && !all.includes('abcdef'), all)
    return true
  })
})
