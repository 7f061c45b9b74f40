import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { pino } from 'pino'
import { z } from 'zod'
import {
  ModelFailure,
  type ModelListener,
  type ModelRequest,
  type TokenCount,
} from '../../src/ai/model.ts'
import { createModelStateAcrossRequests, createSdkModel } from '../../src/ai/sdk/sdk-model.ts'
import type { ProviderSecret } from '../../src/ai/sdk/model-failures.ts'
import { createLog } from '../../src/log.ts'

type Stream = Awaited<ReturnType<MockLanguageModelV4['doStream']>>
type Part = Stream['stream'] extends ReadableStream<infer P> ? P : never
type SdkWarning = Extract<Part, { type: 'stream-start' }>['warnings'][number]

/** One round trip in which the model answers with text or a tool call. */
function createRoundTrip(content: {
  text?: string
  call?: { name: string; input: object }
  warnings?: SdkWarning[]
}): Stream {
  const { text, call, warnings = [] } = content
  const chunks: Part[] = [{ type: 'stream-start', warnings }]
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
    onOpenRequest: () => undefined,
    onTokens: (count) => void counts.push(count),
  }
}

function createTestModel(
  languageModel: MockLanguageModelV4,
  secret: ProviderSecret | null = null,
  log = createLog('silent'),
) {
  const memory = createModelStateAcrossRequests()
  return createSdkModel({
    name: 'mock/m',
    languageModel,
    secret,
    addressSetting: null,
    memory,
    log,
  })
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
  const answer = await createTestModel(mock).answer(request, listener, neverAborted)
  assert.deepEqual(answer, { text: 'It is found.', truncatedBy: null })
  assert.deepEqual(toolInputs.splice(0), ['{"word":"x"}'])
  assert.deepEqual(listener.texts, ['Let me look.', 'It is found.'])
  assert.deepEqual(listener.counts, [
    { inputTokens: 100, cachedInputTokens: 10, outputTokens: 20, isEstimated: false },
    { inputTokens: 100, cachedInputTokens: 10, outputTokens: 20, isEstimated: false },
  ])
  assert.match(JSON.stringify(mock.doStreamCalls[1]?.prompt), /found/)
})

test('a model that only calls tools is stopped after maxSteps or maxTokens', async () => {
  for (const [limit, rounds] of [
    [{ maxSteps: 3 }, 3],
    // The second round trip has 121 tokens of input, and a third would exceed the remaining tokens.
    [{ maxTokens: 300 }, 2],
  ] as const) {
    const mock = new MockLanguageModelV4({ doStream: async () => createRoundTrip({ call }) })
    const model = createTestModel(mock)
    await assert.rejects(
      model.answer({ ...request, ...limit }, createListener(), neverAborted),
      (error) => error instanceof ModelFailure && /gave no text/.test(error.message),
    )
    assert.equal(mock.doStreamCalls.length, rounds)
  }
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
  const { text } = await createTestModel(mock).answer(request, createListener(), neverAborted)
  assert.equal(text, 'Sorry.')
  assert.deepEqual(toolInputs, [])
})

test('the message of a model failure never contains the API key', async () => {
  const secret = { value: 'top-secret-value', settingName: 'SOME_KEY' }
  const mock = new MockLanguageModelV4({
    doStream: async () => {
      throw new Error('bad header top-secret-value and sk-abcdef123456')
    },
  })
  const model = createTestModel(mock, secret)
  await assert.rejects(model.answer(request, createListener(), neverAborted), (error) => {
    assert.ok(error instanceof ModelFailure)
    const all = `${error.message} ${String(error.cause)} ${error.stack}`
    assert.ok(!all.includes('top-secret-value') && !all.includes('abcdef'), all)
    return true
  })
})

test('a warning of the AI SDK is logged once per model', async () => {
  const warnings: SdkWarning[] = [{ type: 'unsupported', feature: 'temperature' }]
  const mock = new MockLanguageModelV4({
    doStream: async () => createRoundTrip({ text: 'Hello.', warnings }),
  })
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const model = createTestModel(mock, null, log)
  for (let i = 0; i < 2; i += 1) await model.answer(request, createListener(), neverAborted)
  assert.equal(lines.length, 1)
  assert.match(lines.join(''), /"model":"mock\/m","warning":\{.*"feature":"temperature"\}/)
})
