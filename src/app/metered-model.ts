import { ModelFailure, type Model } from '../ai/model.ts'
import { calculateCostUsd, readPrices } from '../ai/prices.ts'
import { createModelFinder } from '../ai/providers.ts'
import type { TokenUsage } from '../ai/token-meter.ts'
import type { Config } from '../config/config.ts'
import { toModelSettings } from '../config/model-settings.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import { findMeeting } from '../meetings/record/meeting-store.ts'
import { isBudgetUsedUp } from '../tasks/usage/budget.ts'
import { addUsage } from '../tasks/usage/usage-store.ts'

export type MeteredModelParts = { config: Config; db: Db; clock: Clock; log: Log }

/** What a request was for: the readers of its project see its usage. Everyone sees usage without a project. */
type UsedFor = { meetingId: string } | { project: string | null }

/** A language model whose tokens count toward the budget and the usage, though no task uses it. */
export interface MeteredModel {
  readonly name: string
  find(): Promise<Model>
  isBudgetUsedUp(): Promise<boolean>
  /** Rejects with a ModelFailure if the budget is used up. */
  requireBudget(): Promise<void>
  /** Stores the tokens of a request and returns their cost. `alsoStore` runs in the same transaction, before. */
  addUsage(
    usage: TokenUsage,
    usedFor: UsedFor,
    alsoStore?: (tx: Tx, used: { tokens: number; costUsd: number | null }) => Promise<void>,
  ): Promise<number | null>
}

/** `usageName` is stored in place of a task name. Task names cannot contain parentheses, so no task has this name. */
export function createMeteredModel(
  { config, db, clock, log }: MeteredModelParts,
  { name, usageName }: { name: string; usageName: `(${string})` },
): MeteredModel {
  const models = createModelFinder(toModelSettings(config), log)
  const prices = readPrices(config.aiPricesFile)
  const budget = { dailyTokens: config.aiDailyTokens, monthlyUsd: config.aiMonthlyUsd }
  const isUsedUp = () => isBudgetUsedUp(db, budget, clock.now())
  return {
    name,
    find: () => models.find(name),
    isBudgetUsedUp: isUsedUp,
    async requireBudget() {
      if (await isUsedUp()) {
        throw new ModelFailure('The budget for language models is used up', false)
      }
    },
    async addUsage(usage, usedFor, alsoStore) {
      const costUsd = calculateCostUsd(prices, name, usage)
      const used = { ...usage, at: clock.now(), taskName: usageName, model: name, costUsd }
      const tokens = usage.inputTokens + usage.outputTokens
      await db.transaction().execute(async (tx) => {
        await alsoStore?.(tx, { tokens, costUsd })
        await addUsage(tx, { ...used, project: await findProject(tx, usedFor) })
      })
      return costUsd
    },
  }
}

async function findProject(tx: Tx, usedFor: UsedFor): Promise<string | null> {
  if ('project' in usedFor) return usedFor.project
  return (await findMeeting(tx, usedFor.meetingId))?.project ?? null
}
