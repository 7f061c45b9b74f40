import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { z } from 'zod'
import { createAskModelFunction } from './ask-once.ts'
import { ModelFailure, TokenLimitFailure, type Model, type TokenUsage } from './model.ts'

const request = { system: 's', prompt: 'p', format: z.object({}), maxTokens: 10_000 }

test('the tokens used are reported whether the model answers or fails', async () => {
  for (const isAnswering of [true, false]) {
    const model: Model = {
      name: 'test/m',
      async answer(_, listener) {
        const counts = { inputTokens: 2_500, cachedInputTokens: 0, outputTokens: 1_500 }
        listener.onTokens({ ...counts, isEstimated: false })
        if (isAnswering) return { text: '{}', truncatedBy: null }
        throw new ModelFailure('The model gave no text: its answer is empty', false)
      },
    }
    const reported: number[] = []
    const stored: number[] = []
    const ask = createAskModelFunction(
      async () => model,
      async ({ inputTokens, outputTokens }) => void stored.push(inputTokens + outputTokens),
    )
    const answer = ask(request, (tokens) => reported.push(tokens), new AbortController().signal)
    if (isAnswering) assert.equal(await answer, '{}')
    else await assert.rejects(answer, ModelFailure)
    assert.deepEqual([reported, stored], [[4_000], [4_000]])
  }
})

test('a request that never ends counts the tokens that were estimated until its timeout', async () => {
  const model: Model = {
    name: 'test/m',
    answer(_, listener) {
      const counts = { inputTokens: 700, cachedInputTokens: 0, outputTokens: 40 }
      listener.onOpenRequest({ ...counts, isEstimated: true })
      return new Promise(() => undefined)
    },
  }
  const reported: number[] = []
  const stored: TokenUsage[] = []
  const ask = createAskModelFunction(
    async () => model,
    async (used) => void stored.push(used),
    { timeoutMs: 1 },
  )
  const answer = ask(request, (tokens) => reported.push(tokens), new AbortController().signal)
  await assert.rejects(answer, /did not answer in time/)
  const used = { inputTokens: 700, cachedInputTokens: 0, outputTokens: 40, isEstimated: true }
  assert.deepEqual([reported, stored], [[740], [used]])
})

test('an incomplete answer fails, and a request without room for an answer is null', async () => {
  const askWith = (answer: Model['answer']) => {
    const ask = createAskModelFunction(
      async () => ({ name: 'test/m', answer }),
      async () => undefined,
    )
    return ask(request, () => undefined, new AbortController().signal)
  }
  await assert.rejects(
    askWith(async () => ({ text: '{"summ', truncatedBy: 'length' })),
    /incomplete \(length/,
  )
  const refused = await askWith(async () => {
    throw new TokenLimitFailure('no room')
  })
  assert.equal(refused, null)
})
