import type { ModelListener, TokenCount } from './model.ts'

/** The tokens that a model used. `isEstimated`: the provider did not report all of them, and the rest is estimated. */
export type TokenUsage = TokenCount

/** Adds up the tokens of all requests, including the one in progress. */
export type TokenMeter = Pick<ModelListener, 'onOpenRequest' | 'onTokens'> & {
  usage(): TokenUsage
}

export function createTokenMeter(): TokenMeter {
  let ended: TokenCount = {
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    isEstimated: false,
  }
  let open: TokenCount | null = null
  return {
    onOpenRequest: (estimate) => void (open = estimate),
    onTokens(count) {
      open = null
      ended = addTokenCounts(ended, count)
    },
    usage: () => (open === null ? ended : addTokenCounts(ended, open)),
  }
}

function addTokenCounts(a: TokenCount, b: TokenCount): TokenCount {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + Math.min(b.cachedInputTokens, b.inputTokens),
    outputTokens: a.outputTokens + b.outputTokens,
    isEstimated: a.isEstimated || b.isEstimated,
  }
}
