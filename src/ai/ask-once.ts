import type { AskModel } from '../coach/model-coach.ts'
import { runWithDeadline } from '../lib/async/deadline.ts'
import { ModelFailure, type Model, type TokenCount } from './model.ts'

type UsedTokens = {
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  usageMissing: boolean
}

const ANSWER_TIMEOUT_MS = 60_000
const MAX_OUTPUT_TOKENS = 1_500

/** Sends one request to a model and reports the tokens it used, also when the request fails. */
export function createAskModelFunction(
  findModel: () => Promise<Model>,
  onUsed: (used: UsedTokens) => Promise<void>,
): AskModel {
  return async ({ system, prompt, format }, onTokens, signal) => {
    const model = await findModel()
    const used: UsedTokens = {
      inputTokens: 0,
      cachedInputTokens: 0,
      outputTokens: 0,
      usageMissing: true,
    }
    const listener = {
      onText: () => undefined,
      onStep: () => undefined,
      onTokens(count: TokenCount) {
        used.inputTokens += count.inputTokens ?? 0
        used.cachedInputTokens += count.cachedInputTokens ?? 0
        used.outputTokens += count.outputTokens ?? 0
        used.usageMissing = count.inputTokens === undefined || count.outputTokens === undefined
      },
    }
    const request = {
      system,
      prompt,
      format,
      tools: [],
      temperature: undefined,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      maxSteps: 1,
      maxTokens: Infinity,
    }
    try {
      const outcome = await runWithDeadline(ANSWER_TIMEOUT_MS, signal, (deadlineSignal) =>
        model.answer(request, listener, deadlineSignal),
      )
      if (outcome.ended !== 'done') throw new ModelFailure('The model did not answer in time', true)
      return outcome.value
    } finally {
      onTokens(used.inputTokens + used.outputTokens)
      await onUsed(used)
    }
  }
}
