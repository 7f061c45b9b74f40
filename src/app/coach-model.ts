import { createAskModelFunction } from '../ai/ask-once.ts'
import { ModelFailure } from '../ai/model.ts'
import { calculateCostUsd, readPrices } from '../ai/prices.ts'
import { createModelFinder } from '../ai/providers.ts'
import type { Config } from '../config/config.ts'
import { toModelSettings } from '../config/model-settings.ts'
import type { Db } from '../db/database.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import type { CoachModelOpener } from '../meetings/attending/attend.ts'
import { addUsedCoachTokens, readUsedCoachTokens } from '../meetings/record/coach-tokens.ts'
import { isBudgetUsedUp } from '../tasks/usage/budget.ts'
import { addUsage } from '../tasks/usage/usage-store.ts'

/**
 * The name under which the coach's token usage is stored in place of a task name. Task names cannot contain
 * parentheses, so no task has this name.
 */
const COACH_USAGE_NAME = '(coach)'

type Parts = { config: Config; db: Db; clock: Clock; log: Log }

/** Null when no language model is configured for the coach; it then uses only its rules. */
export function createCoachModelOpener({ config, db, clock, log }: Parts): CoachModelOpener | null {
  const name = config.aiCoachModel
  if (name === undefined || name.startsWith('builtin/')) return null
  const models = createModelFinder({ ...toModelSettings(config), model: name }, log)
  const prices = readPrices(config.aiPricesFile)
  const budget = { dailyTokens: config.aiDailyTokens, monthlyUsd: config.aiMonthlyUsd }

  return async (meetingId) => {
    const ask = createAskModelFunction(
      () => models.find(name),
      async (usage) => {
        const at = clock.now()
        const costUsd = calculateCostUsd(prices, name, usage)
        await db.transaction().execute(async (tx) => {
          await addUsedCoachTokens(tx, meetingId, usage.inputTokens + usage.outputTokens)
          await addUsage(tx, { ...usage, at, taskName: COACH_USAGE_NAME, model: name, costUsd })
        })
      },
    )
    return {
      usedTokens: await readUsedCoachTokens(db, meetingId),
      async ask(question, onTokens, signal) {
        if (await isBudgetUsedUp(db, budget, clock.now())) {
          throw new ModelFailure('The budget for language models is used up', false)
        }
        return ask(question, onTokens, signal)
      },
    }
  }
}
