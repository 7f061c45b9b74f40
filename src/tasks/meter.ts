import type { TokenCount } from '../ai/model.ts'
import type { Usage } from './task.ts'

/** Adds up what a provider says it has used. What it does not say is not made up. */
export interface Meter {
  add(count: TokenCount): void
  /** Something was asked, whatever is said about it. */
  ask(): void
  usage(): Usage
}

export function createMeter(): Meter {
  const total = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }
  let asked = 0
  let told = 0
  return {
    ask: () => void (asked += 1),
    add({ inputTokens, cachedInputTokens, outputTokens }) {
      total.inputTokens += inputTokens ?? 0
      total.cachedInputTokens += Math.min(cachedInputTokens ?? 0, inputTokens ?? 0)
      total.outputTokens += outputTokens ?? 0
      if (inputTokens !== undefined && outputTokens !== undefined) told += 1
      else asked = Infinity
    },
    usage: () => ({ ...total, usageMissing: asked > told }),
  }
}
