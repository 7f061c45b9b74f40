import { createAskOnce } from '../ai/ask-once.ts'
import { ModelFailure } from '../ai/model.ts'
import { calculateCost, readPrices } from '../ai/prices.ts'
import { createModels } from '../ai/providers.ts'
import type { Config } from '../config/config.ts'
import { modelSettings } from '../config/model-settings.ts'
import type { Db } from '../db/database.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { OpenCoachModel } from '../meetings/attending/attend.ts'
import { isBudgetUsedUp } from '../tasks/usage/budget.ts'
import { addUsage } from '../tasks/usage/usage-store.ts'

/** No task can be called so. */
const COACH_USAGE_NAME = '(coach)'

type Parts = { config: Config; db: Db; clock: Clock }

/** Null: the coach has the rules alone. */
export function createCoachModels(parts: Parts): OpenCoachModel | null {
  const { config, db, clock } = parts
  const name = config.aiCoachModel
  if (name === undefined || name.startsWith('builtin/')) return null
  const models = createModels({ ...modelSettings(config), model: name })
  const prices = readPrices(config.aiPricesFile)
  const budget = { dailyTokens: config.aiDailyTokens, monthlyUsd: config.aiMonthlyUsd }

  return async (meetingId) => {
    const ask = createAskOnce(
      () => models.find(name),
      async (usage) => {
        const at = clock.now()
        const costUsd = calculateCost(prices, name, usage)
        const tokens = usage.inputTokens + usage.outputTokens
        await db.transaction().execute(async (tx) => {
          await tx
            .updateTable('meeting')
            .set((eb) => ({ coach_tokens: eb('coach_tokens', '+', tokens) }))
            .where('id', '=', meetingId)
            .execute()
          await addUsage(tx, { ...usage, at, taskName: COACH_USAGE_NAME, model: name, costUsd })
        })
      },
    )
    const row = await db
      .selectFrom('meeting')
      .select('coach_tokens')
      .where('id', '=', meetingId)
      .executeTakeFirst()
    return {
      usedTokens: row?.coach_tokens ?? 0,
      async ask(question, onTokens, signal) {
        if (await isBudgetUsedUp(db, budget, clock.now())) {
          throw new ModelFailure('The budget for language models is used up', false)
        }
        return ask(question, onTokens, signal)
      },
    }
  }
}
