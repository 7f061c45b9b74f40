import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { z } from 'zod'
import { createAskModelFunction } from './ask-once.ts'
import { ModelFailure, type Model } from './model.ts'

const request = { system: 's', prompt: 'p', format: z.object({}) }

test('the tokens used are reported whether the model answers or fails', async () => {
  for (const isAnswering of [true, false]) {
    const model: Model = {
      name: 'test/m',
      async answer(_, listener) {
        listener.onTokens({ inputTokens: 2_500, cachedInputTokens: 0, outputTokens: 1_500 })
        if (isAnswering) return '{}'
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
