import type { AskModel } from '../coach/model/model-coach.ts'
import { runUntilDeadlineOrAbort } from '../lib/async/deadline.ts'
import { ModelFailure, TokenLimitFailure, type Model } from './model.ts'
import { createTokenMeter, type TokenUsage } from './token-meter.ts'

const ANSWER_TIMEOUT_MS = 60_000
const MAX_OUTPUT_TOKENS = 1_500

type Options = { timeoutMs?: number; maxOutputTokens?: number }

/** Sends one request to a model and reports the tokens it used, also when the request fails. */
export function createAskModelFunction(
  findModel: () => Promise<Model>,
  onUsed: (used: TokenUsage) => Promise<void>,
  { timeoutMs = ANSWER_TIMEOUT_MS, maxOutputTokens = MAX_OUTPUT_TOKENS }: Options = {},
): AskModel {
  return async ({ system, prompt, format, maxTokens }, onTokens, signal) => {
    const model = await findModel()
    const meter = createTokenMeter()
    const request = {
      system,
      prompt,
      format,
      tools: [],
      temperature: undefined,
      maxOutputTokens,
      maxSteps: 1,
      maxTokens,
    }
    const listener = { ...meter, onText: () => undefined }
    try {
      const outcome = await runUntilDeadlineOrAbort(timeoutMs, signal, (deadlineSignal) =>
        model.answer(request, listener, deadlineSignal),
      )
      if (outcome.ended !== 'done') throw new ModelFailure('The model did not answer in time', true)
      const { text, truncatedBy } = outcome.value
      if (truncatedBy === null) return text
      throw new ModelFailure(
        `The model's answer is incomplete (${truncatedBy}, at most ${maxOutputTokens} output tokens)`,
        false,
      )
    } catch (error) {
      if (error instanceof TokenLimitFailure) return null
      throw error
    } finally {
      const used = meter.usage()
      onTokens(used.inputTokens + used.outputTokens)
      await onUsed(used)
    }
  }
}
