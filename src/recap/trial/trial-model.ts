import { createAskModelFunction } from '../../ai/ask-once.ts'
import type { TokenUsage } from '../../ai/model.ts'
import { calculateCostUsd, type Prices } from '../../ai/prices.ts'
import type { ModelFinder } from '../../ai/providers.ts'
import { ANSWER_LIMITS, askAboutMeeting, type RecapModel } from '../model/recap-model.ts'

export type TrialUsage = {
  requests: number
  inputTokens: number
  outputTokens: number
  /** Null if the price is not known. */
  costUsd: number | null
}

/** The trial has used as many tokens as it may. */
export class TokenLimitReached extends Error {
  override readonly name = 'TokenLimitReached'
}

type Parts = {
  models: ModelFinder
  prices: Prices
  name: string
  /** No request is sent after this many tokens were used. */
  maxTokens: number
}

/** A language model whose tokens are counted here instead of in the database. */
export function createTrialModel({ models, prices, name, maxTokens }: Parts): {
  model: RecapModel
  readUsage(): TrialUsage
} {
  const used = { requests: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }
  const add = async ({ inputTokens, cachedInputTokens, outputTokens }: TokenUsage) => {
    used.requests += 1
    used.inputTokens += inputTokens
    used.cachedInputTokens += cachedInputTokens
    used.outputTokens += outputTokens
  }
  const ask = createAskModelFunction(() => models.find(name), add, ANSWER_LIMITS)
  return {
    model: {
      name,
      async ask(_, question, signal) {
        if (used.inputTokens + used.outputTokens >= maxTokens) throw new TokenLimitReached()
        return askAboutMeeting(ask, question, signal)
      },
    },
    readUsage() {
      const { cachedInputTokens: _, ...counts } = used
      return { ...counts, costUsd: calculateCostUsd(prices, name, used) }
    },
  }
}
