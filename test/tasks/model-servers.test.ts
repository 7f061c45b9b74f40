import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { APICallError } from 'ai'
import { pino } from 'pino'
import { z } from 'zod'
import {
  TokenLimitFailure,
  type ModelAnswer,
  type ModelFailure,
  type ModelListener,
  type ModelRequest,
  createTokenMeter,
  type TokenUsage,
} from '../../src/ai/model.ts'
import { createModelFinder } from '../../src/ai/providers.ts'
import { toModelFailure, wasRequestRefusedOrUnsent } from '../../src/ai/sdk/model-failures.ts'
import {
  openModelServer,
  SAMPLE_USAGE,
  type ModelServerReply,
  type ModelServerRequest,
} from '../support/tasks/model-server.ts'

const REQUEST: ModelRequest = {
  system: 'Answer with JSON: "word"',
  prompt: 'Say a word',
  tools: [],
  temperature: undefined,
  maxOutputTokens: 1_000,
  maxSteps: 5,
  maxTokens: 100_000,
}
const JSON_REQUEST = { ...REQUEST, format: z.object({ word: z.string() }) }
const LOOK_UP = {
  name: 'look_up',
  description: 'Looks up',
  input: z.object({}),
  run: async () => 'found',
}

/** An OpenAI-compatible server with scripted replies, and the model that asks it. */
async function openWorld(
  behave: (request: ModelServerRequest, number: number) => ModelServerReply,
) {
  const server = await openModelServer(behave)
  const logged: Array<Record<string, unknown>> = []
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const settings = { keys: {}, apiKey: undefined, baseUrl: server.url }
  const models = createModelFinder({ ...settings, model: 'openai-compatible/m' }, log)
  const ask = async (
    request: ModelRequest,
    onText: (text: string) => void = () => undefined,
    signal = new AbortController().signal,
  ): Promise<{ answer?: ModelAnswer; failure?: ModelFailure; used: TokenUsage }> => {
    const model = await models.find('openai-compatible/m')
    const meter = createTokenMeter()
    const listener: ModelListener = { ...meter, onText }
    try {
      return { answer: await model.answer(request, listener, signal), used: meter.usage() }
    } catch (failure) {
      return { failure: failure as ModelFailure, used: meter.usage() }
    }
  }
  return {
    server,
    logged,
    ask,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

type ResponseFormat = { type: string; json_schema?: { schema: { required: string[] } } }
const formatsOf = (requests: ModelServerRequest[]) =>
  requests.map(({ body }) => (body['response_format'] as ResponseFormat | undefined)?.type)

test('JSON is asked for with its schema, and the schema is not sent to a server that refuses it', async () => {
  const refusing = (refused: readonly string[]) => (request: ModelServerRequest) => {
    const { type = 'text' } = (request.body['response_format'] ?? {}) as Partial<ResponseFormat>
    return refused.includes(type)
      ? { status: 400, error: `response_format ${type} is not supported` }
      : { words: ['{"word": "hello"}'] }
  }
  for (const [refused, formats] of [
    [[], ['json_schema', 'json_schema']],
    [['json_schema'], ['json_schema', 'json_object', 'json_object']],
    [
      ['json_schema', 'json_object'],
      ['json_schema', 'json_object', undefined, undefined],
    ],
  ] as const) {
    await using world = await openWorld(refusing(refused))
    for (let i = 0; i < 2; i += 1) {
      const { answer, used } = await world.ask(JSON_REQUEST)
      assert.equal(answer?.text, '{"word": "hello"}')
      assert.deepEqual(
        [used.inputTokens, used.outputTokens, used.isEstimated],
        [SAMPLE_USAGE.prompt_tokens, SAMPLE_USAGE.completion_tokens, false],
      )
    }
    assert.deepEqual(formatsOf(world.server.requests), formats)
    const format = world.server.requests[0]?.body['response_format'] as ResponseFormat
    assert.deepEqual(format.json_schema?.schema.required, ['word'])
    const lines = world.logged.filter(({ msg }) => msg === 'the model server takes no JSON schema')
    assert.equal(lines.length, refused.length === 0 ? 0 : 1)
  }
})

test('a request that is refused in every format fails with the reason of the first refusal', async () => {
  await using world = await openWorld((_, number) => ({ status: 400, error: `reason ${number}` }))
  const { failure, used } = await world.ask(JSON_REQUEST)
  assert.match(failure?.message ?? '', /HTTP 400\): reason 1/)
  assert.equal(world.server.requests.length, 3)
  assert.deepEqual([used.inputTokens, used.isEstimated], [0, false])
})

test('a round trip may write only what is left of maxTokens, and is not made if too little is left', async () => {
  await using world = await openWorld((_, number) =>
    number === 1
      ? { words: ['Let me look'], toolCall: { name: 'look_up', arguments: {} } }
      : { words: ['It is'], finishReason: 'length' },
  )
  const tools = [LOOK_UP]
  const maxTokensOf = () => world.server.requests.map(({ body }) => Number(body['max_tokens']))
  // The first round trip uses 150 tokens. The second sends them again, with the result of the tool.
  const { answer } = await world.ask({ ...REQUEST, tools, maxTokens: 400 })
  const [first = 0, second = 0] = maxTokensOf()
  assert.deepEqual(answer, { text: 'It is', truncatedBy: 'max_tokens' })
  assert.ok(first < 400 && second >= 16 && second <= 400 - 150 - 150, `${first}, ${second}`)

  world.server.requests.length = 0
  const small = await world.ask({ ...REQUEST, tools, maxTokens: 30 })
  assert.ok(small.failure instanceof TokenLimitFailure)
  assert.match(small.failure.message, /about \d+ tokens, so maxTokens \(30\) leaves no room/)
  assert.deepEqual([world.server.requests.length, small.used.inputTokens], [0, 0])
})

test('the reasoning that a model writes before its answer is left out, and its tokens are counted', async () => {
  const words = ['<thi', 'nk>Should I look? ', 'It is long.</think>\n\n']
  await using world = await openWorld((_, number) =>
    number === 1
      ? { words, toolCall: { name: 'look_up', arguments: {} } }
      : { words: [...words, '{"word":', '"hello"}'], usage: null },
  )
  const streamed: string[] = []
  const { answer, used } = await world.ask({ ...JSON_REQUEST, tools: [LOOK_UP] }, (text) =>
    streamed.push(text),
  )
  assert.deepEqual(answer, { text: '{"word":"hello"}', truncatedBy: null })
  assert.equal(streamed.join(''), answer.text)
  assert.ok(used.outputTokens > SAMPLE_USAGE.completion_tokens + 10 && used.isEstimated)
})

test('an answer that the provider cut short is marked with the reason', async () => {
  for (const [finishReason, truncatedBy] of [
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['stop', null],
  ] as const) {
    await using world = await openWorld(() => ({ words: ['Half of'], finishReason }))
    assert.deepEqual((await world.ask(REQUEST)).answer, { text: 'Half of', truncatedBy })
  }
  await using endless = await openWorld(() => ({
    words: ['Looking'],
    toolCall: { name: 'look_up', arguments: {} },
  }))
  const { answer } = await endless.ask({ ...REQUEST, tools: [LOOK_UP], maxSteps: 2 })
  assert.deepEqual(answer, { text: 'Looking', truncatedBy: 'max_steps' })
  assert.equal(endless.server.requests.length, 2)
})

test('an aborted request counts the text until then, by the numbers of the server where it sends them', async () => {
  const words = ['word '.repeat(200)]
  const cases: Array<[ModelServerReply, { input: number; output: number } | null]> = [
    [{ words, breaksBy: 'hang' }, null],
    [
      { words, breaksBy: 'hang', usageWithWords: { prompt_tokens: 77, completion_tokens: 999 } },
      { input: 77, output: 999 },
    ],
  ]
  for (const [reply, exact] of cases) {
    await using world = await openWorld(() => reply)
    const abort = new AbortController()
    const { failure, used } = await world.ask(REQUEST, () => abort.abort(), abort.signal)
    assert.equal(failure?.name, 'AbortError')
    assert.equal(used.isEstimated, true)
    // The prompt has 34 characters and the answer 1000. A token has about four.
    const expected = exact ?? { input: 9, output: 250 }
    assert.deepEqual([used.inputTokens, used.outputTokens], [expected.input, expected.output])
  }
})

test('a request that breaks off or has no usage counts an estimate, and a refused one nothing', async () => {
  const cases: Array<[ModelServerReply, boolean]> = [
    [{ words: ['Half an'], breaksBy: 'cut' }, true],
    [{ words: ['Half an'], breaksBy: 'end' }, true],
    [{ words: ['Whole'], usage: null }, true],
    [{ words: ['Whole'], usage: {} }, true],
    [{ status: 401 }, false],
  ]
  for (const [reply, isEstimated] of cases) {
    await using world = await openWorld(() => reply)
    const { used } = await world.ask(REQUEST)
    assert.equal(used.isEstimated, isEstimated, JSON.stringify(reply))
    assert.equal(used.inputTokens > 0, isEstimated)
    assert.equal(used.outputTokens > 0, isEstimated)
  }
})

test('a failure tells an unknown model from a wrong address', async () => {
  const html = { raw: '<html><body>Not Found: model page</body></html>' }
  const asHtml = { headers: { 'content-type': 'text/html' } }
  const noModel = 'model "m" not found, try pulling it first'
  const cases: Array<[ModelServerReply, RegExp]> = [
    [
      { status: 404, error: noModel },
      /^The provider has no model openai-compatible\/m \(HTTP 404\)/,
    ],
    [
      {
        status: 404,
        raw: JSON.stringify({ object: 'error', message: 'The model `m` does not exist.' }),
      },
      /^The provider has no model openai-compatible\/m/,
    ],
    [
      { status: 404, raw: '404 page not found' },
      /^There is no language model at this address \(HTTP 404\): check HANSARD_AI_BASE_URL$/,
    ],
    [{ status: 404, ...html, ...asHtml }, /at this address .* check HANSARD_AI_BASE_URL$/],
    [
      { status: 404, raw: JSON.stringify({ detail: 'Not Found' }) },
      /HTTP 404: Not Found; check HANSARD_AI_BASE_URL and the model openai-compatible\/m$/,
    ],
    [{ status: 405, raw: 'no' }, /at this address \(HTTP 405\): check HANSARD_AI_BASE_URL$/],
    [
      { ...html, ...asHtml },
      /^The server's answer is not that of a language model: check HANSARD_AI_BASE_URL$/,
    ],
    [{ words: ['Half'], breaksBy: 'end' }, /^The provider's answer broke off$/],
  ]
  for (const [reply, expected] of cases) {
    await using world = await openWorld(() => reply)
    const { failure } = await world.ask(REQUEST)
    assert.match(failure?.message ?? '', expected)
  }
})

test('a server that cannot be reached is named by its setting and charges nothing', () => {
  const context = { model: 'openai-compatible/m', secret: null, addressSetting: 'THE_ADDRESS' }
  const createError = (code: string) =>
    new APICallError({
      message: 'Cannot connect to API',
      url: 'http://127.0.0.1',
      requestBodyValues: {},
      cause: Object.assign(new Error('connect'), { code }),
    })
  const { message } = toModelFailure(createError('ECONNREFUSED'), context)
  // The message of the connection can contain the address, which readers of a meeting must not see.
  assert.equal(message, 'The provider cannot be reached: ECONNREFUSED: check THE_ADDRESS')
  assert.equal(wasRequestRefusedOrUnsent(createError('ECONNREFUSED')), true)
  // The provider may have received the request before the connection was reset.
  assert.equal(wasRequestRefusedOrUnsent(createError('ECONNRESET')), false)
})
