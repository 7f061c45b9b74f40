import type { Db, Tx } from '../db/database.ts'
import type { Clock } from '../lib/time/clock.ts'
import { ModelFailure, type TokenUsage } from './model.ts'
import { calculateCostUsd, type Prices } from './prices.ts'
import type { ModelFinder } from './providers.ts'
import { addUsage, isBudgetUsedUp, type TokenAndCostBudget } from './usage.ts'

/** What every use of a language model shares. */
export type ModelContext = {
  db: Db
  clock: Clock
  models: ModelFinder
  prices: Prices
  budget: TokenAndCostBudget
}

/** `usageName` is stored in place of a task name. It has parentheses, which a task name can't have. */
export function createMeteredModel(
  { db, clock, models, prices, budget }: ModelContext,
  name: string,
  usageName: `(${string})`,
) {
  const isUsedUp = () => isBudgetUsedUp(db, budget, clock.now())
  return {
    name,
    find: () => models.find(name),
    isBudgetUsedUp: isUsedUp,
    /** Rejects with a ModelFailure if the budget is used up. */
    async requireBudget(): Promise<void> {
      if (await isUsedUp()) {
        throw new ModelFailure('The budget for language models is used up', false)
      }
    },
    /**
     * Stores the tokens of a request and returns their cost. The readers of `project` see the usage; everyone sees usage
     * without a project. `alsoStore` runs first, in the same transaction.
     */
    async addUsage(
      usage: TokenUsage,
      project: string | null,
      alsoStore?: (tx: Tx, used: { tokens: number; costUsd: number | null }) => Promise<void>,
    ) {
      const costUsd = calculateCostUsd(prices, name, usage)
      const used = { ...usage, at: clock.now(), taskName: usageName, model: name, costUsd, project }
      const tokens = usage.inputTokens + usage.outputTokens
      await db.transaction().execute(async (tx) => {
        await alsoStore?.(tx, { tokens, costUsd })
        await addUsage(tx, used)
      })
      return costUsd
    },
  }
}

/** A language model whose tokens count toward the budget and the usage, although no task uses it. */
export type MeteredModel = ReturnType<typeof createMeteredModel>
