import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { z } from 'zod'
import { createAskOnce } from './ask-once.ts'
import { ModelFailure, type Model } from './model.ts'

const question = { system: 's', prompt: 'p', format: z.object({}) }

test('what was used is told whether the model answers or not', async () => {
  for (const isGood of [true, false]) {
    const model: Model = {
      name: 'test/m',
      async answer(_, listener) {
        listener.onTokens({ inputTokens: 2_500, cachedInputTokens: 0, outputTokens: 1_500 })
        if (isGood) return '{}'
        throw new ModelFailure('The model gave no text: its answer is empty', false)
      },
    }
    const told: number[] = []
    const stored: number[] = []
    const ask = createAskOnce(
      async () => model,
      async ({ inputTokens, outputTokens }) => void stored.push(inputTokens + outputTokens),
    )
    const asking = ask(question, (tokens) => told.push(tokens), new AbortController().signal)
    if (isGood) assert.equal(await asking, '{}')
    else await assert.rejects(asking, ModelFailure)
    assert.deepEqual([told, stored], [[4_000], [4_000]])
  }
})
