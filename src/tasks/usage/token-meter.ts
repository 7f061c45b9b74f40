import type { TokenCount } from '../../ai/model.ts'
import type { TokenUsage } from '../task.ts'

/** Adds up what a provider says it has used. What it does not say is not made up. */
export interface TokenMeter {
  addTokens(count: TokenCount): void
  /** The provider has begun an answer, whatever it says about it. */
  beginStep(): void
  usage(): TokenUsage
}

export function createTokenMeter(): TokenMeter {
  const total = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }
  let begun = 0
  let told = 0
  return {
    beginStep: () => void (begun += 1),
    addTokens({ inputTokens, cachedInputTokens, outputTokens }) {
      total.inputTokens += inputTokens ?? 0
      total.cachedInputTokens += Math.min(cachedInputTokens ?? 0, inputTokens ?? 0)
      total.outputTokens += outputTokens ?? 0
      if (inputTokens !== undefined && outputTokens !== undefined) told += 1
      else begun = Infinity
    },
    usage: () => ({ ...total, usageMissing: begun > told }),
  }
}
