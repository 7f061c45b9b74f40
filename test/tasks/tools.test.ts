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
import { createSdkModel } from '../../src/ai/sdk-model.ts'

type Stream = Awaited<ReturnType<MockLanguageModelV4['doStream']>>
type Part = Stream['stream'] extends ReadableStream<infer P> ? P : never

/** One round trip of a model that says or calls something. */
function step(content: { text?: string; call?: { name: string; input: object } }): Stream {
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

function listen(): ModelListener & { texts: string[]; counts: TokenCount[] } {
  const [texts, counts]: [string[], TokenCount[]] = [[], []]
  return {
    texts,
    counts,
    onText: (text) => void texts.push(text),
    onStep: () => undefined,
    onTokens: (count) => void counts.push(count),
  }
}

const asked: string[] = []
const question: ModelRequest = {
  system: 'Be brief',
  prompt: 'Look it up',
  tools: [
    {
      name: 'look_up',
      description: 'Looks up',
      input: z.object({ word: z.string() }),
      async run(input) {
        asked.push(JSON.stringify(input))
        return 'found'
      },
    },
  ],
  temperature: undefined,
  maxOutputTokens: 100,
  maxSteps: 5,
  maxTokens: 100_000,
}
const ever = new AbortController().signal
const call = { name: 'look_up', input: { word: 'x' } }

test('a tool loop runs the tool, goes on with what it found and counts every round trip', async () => {
  const steps = [step({ text: 'Let me look.', call }), step({ text: 'It is found.' })]
  const mock = new MockLanguageModelV4({ doStream: async () => steps.shift() ?? step({}) })
  const listener = listen()
  const text = await createSdkModel('mock/m', mock, null).answer(question, listener, ever)
  assert.equal(text, 'It is found.')
  assert.deepEqual(asked.splice(0), ['{"word":"x"}'])
  assert.deepEqual(listener.texts, ['Let me look.', 'It is found.'])
  assert.deepEqual(listener.counts, [
    { inputTokens: 100, cachedInputTokens: 10, outputTokens: 20 },
    { inputTokens: 100, cachedInputTokens: 10, outputTokens: 20 },
  ])
  assert.match(JSON.stringify(mock.doStreamCalls[1]?.prompt), /found/)
})

test('a model that only calls tools is stopped after maxSteps, and after maxTokens', async () => {
  for (const [limit, rounds] of [
    [{ maxSteps: 3 }, 3],
    [{ maxTokens: 200 }, 2],
  ] as const) {
    const mock = new MockLanguageModelV4({ doStream: async () => step({ call }) })
    const model = createSdkModel('mock/m', mock, null)
    await assert.rejects(
      model.answer({ ...question, ...limit }, listen(), ever),
      (error) => error instanceof ModelFailure && /gave no text/.test(error.message),
    )
    assert.equal(mock.doStreamCalls.length, rounds)
  }
})

test('words that a model said before its tokens were used up are its answer', async () => {
  const mock = new MockLanguageModelV4({ doStream: async () => step({ text: 'So far.', call }) })
  const model = createSdkModel('mock/m', mock, null)
  assert.equal(await model.answer({ ...question, maxTokens: 1 }, listen(), ever), 'So far.')
})

test('input that a tool does not take is told to the model and not to the tool', async () => {
  asked.length = 0
  const steps = [
    step({ call: { name: 'look_up', input: { word: 7 } } }),
    step({ call: { name: 'delete_all', input: {} } }),
    step({ text: 'Sorry.' }),
  ]
  const mock = new MockLanguageModelV4({ doStream: async () => steps.shift() ?? step({}) })
  const text = await createSdkModel('mock/m', mock, null).answer(question, listen(), ever)
  assert.equal(text, 'Sorry.')
  assert.deepEqual(asked, [])
})

test('a failure never shows the key, whatever the library says', async () => {
  const secret = { value: 'top-secret-value', setting: 'SOME_KEY' }
  const mock = new MockLanguageModelV4({
    doStream: async () => {
      throw new Error('bad header top-secret-value and sk-abcdef123456')
    },
  })
  const model = createSdkModel('mock/m', mock, secret)
  await assert.rejects(model.answer(question, listen(), ever), (error) => {
    assert.ok(error instanceof ModelFailure)
    const all = `${error.message} ${String(error.cause)} ${error.stack}`
    assert.ok(!all.includes('top-secret-value') && !all.includes('abcdef'), all)
    return true
  })
})
