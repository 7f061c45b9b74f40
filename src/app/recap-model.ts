import { createAskModelFunction } from '../ai/ask-once.ts'
import { ModelFailure } from '../ai/model.ts'
import { calculateCostUsd, readPrices } from '../ai/prices.ts'
import { createModelFinder } from '../ai/providers.ts'
import type { Config } from '../config/config.ts'
import { findRecapModelName, toModelSettings } from '../config/model-settings.ts'
import type { Db } from '../db/database.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import type { RecapModel } from '../recap/model/model-recap.ts'
import { addRecapTokens } from '../recap/store/stored-recap.ts'
import { wrapInDocumentTags } from '../tasks/prompts/document-block.ts'
import { isBudgetUsedUp } from '../tasks/usage/budget.ts'
import { addUsage } from '../tasks/usage/usage-store.ts'

/** Stored in place of a task name. Task names cannot contain parentheses, so no task has this name. */
const RECAP_USAGE_NAME = '(recap)'
const ANSWER_TIMEOUT_MS = 180_000
const MAX_OUTPUT_TOKENS = 6_000
/** Input and output of one request. A part of a meeting has up to 48,000 characters, in some scripts as many tokens. */
const MAX_TOKENS_PER_REQUEST = 100_000

type Parts = { config: Config; db: Db; clock: Clock; log: Log }

/** Null when no language model is configured for recaps; they are then made by rules only. */
export function createRecapModel({ config, db, clock, log }: Parts): RecapModel | null {
  const name = findRecapModelName(config)
  if (name === null) return null
  const models = createModelFinder({ ...toModelSettings(config), model: name }, log)
  const prices = readPrices(config.aiPricesFile)
  const budget = { dailyTokens: config.aiDailyTokens, monthlyUsd: config.aiMonthlyUsd }
  return {
    name,
    async ask(meetingId, { system, facts, participants, transcript, format }, signal) {
      if (await isBudgetUsedUp(db, budget, clock.now())) {
        throw new ModelFailure('The budget for language models is used up', false)
      }
      const ask = createAskModelFunction(
        () => models.find(name),
        async (usage) => {
          const at = clock.now()
          const costUsd = calculateCostUsd(prices, name, usage)
          const tokens = usage.inputTokens + usage.outputTokens
          await db.transaction().execute(async (tx) => {
            await addRecapTokens(tx, meetingId, { tokens, costUsd })
            await addUsage(tx, { ...usage, at, taskName: RECAP_USAGE_NAME, model: name, costUsd })
          })
        },
        { timeoutMs: ANSWER_TIMEOUT_MS, maxOutputTokens: MAX_OUTPUT_TOKENS },
      )
      const prompt = [
        facts,
        wrapInDocumentTags('participants', participants),
        wrapInDocumentTags('transcript', transcript),
      ].join('\n\n')
      const question = { system, prompt, format, maxTokens: MAX_TOKENS_PER_REQUEST }
      const answer = await ask(question, () => undefined, signal)
      if (answer !== null) return answer
      throw new ModelFailure('A part of the meeting is too long for the model', false)
    },
  }
}
