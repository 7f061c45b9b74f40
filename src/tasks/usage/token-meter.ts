import type { TokenCount } from '../../ai/model.ts'
import type { TokenUsage } from '../task.ts'

/** Adds up the token counts that a provider reports. Missing counts are not estimated. */
export interface TokenMeter {
  addTokens(count: TokenCount): void
  /** Counts a round trip that started. If the provider reports no usage for it, `usageMissing` becomes true. */
  beginStep(): void
  usage(): TokenUsage
}

export function createTokenMeter(): TokenMeter {
  const total = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }
  let startedSteps = 0
  let reportedSteps = 0
  return {
    beginStep: () => void (startedSteps += 1),
    addTokens({ inputTokens, cachedInputTokens, outputTokens }) {
      total.inputTokens += inputTokens ?? 0
      total.cachedInputTokens += Math.min(cachedInputTokens ?? 0, inputTokens ?? 0)
      total.outputTokens += outputTokens ?? 0
      if (inputTokens !== undefined && outputTokens !== undefined) reportedSteps += 1
      else startedSteps = Infinity
    },
    usage: () => ({ ...total, usageMissing: startedSteps > reportedSteps }),
  }
}
