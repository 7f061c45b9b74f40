import type { AnswerModel } from '../ask/model/answer-model.ts'
import { calculateCostUsd, readPrices } from '../ai/prices.ts'
import { createModelFinder } from '../ai/providers.ts'
import { createTokenMeter } from '../ai/token-meter.ts'
import type { Config } from '../config/config.ts'
import { findAskModelName, toModelSettings } from '../config/model-settings.ts'
import type { Db } from '../db/database.ts'
import { runUntilDeadlineOrAbort } from '../lib/async/deadline.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import { wrapInDocumentTags } from '../tasks/prompts/document-block.ts'
import { isBudgetUsedUp } from '../tasks/usage/budget.ts'
import { addUsage } from '../tasks/usage/usage-store.ts'

/** Stored in place of a task name. Task names cannot contain parentheses, so no task has this name. */
const ASK_USAGE_NAME = '(ask)'
const MAX_OUTPUT_TOKENS = 2_000
/** Input and output of one request. The excerpts have up to 48,000 characters, in some scripts as many tokens. */
const MAX_TOKENS_PER_REQUEST = 100_000

type Parts = { config: Config; db: Db; clock: Clock; log: Log }

/** Null when no language model is configured for questions; they are then answered with passages only. */
export function createAnswerModel({ config, db, clock, log }: Parts): AnswerModel | null {
  const name = findAskModelName(config)
  if (name === null) return null
  const models = createModelFinder({ ...toModelSettings(config), model: name }, log)
  const prices = readPrices(config.aiPricesFile)
  const budget = { dailyTokens: config.aiDailyTokens, monthlyUsd: config.aiMonthlyUsd }
  return {
    name,
    isBudgetUsedUp: () => isBudgetUsedUp(db, budget, clock.now()),
    async ask({ system, excerpts, question }, { timeoutMs, signal, onText, onUsed }) {
      const model = await models.find(name)
      const blocks = excerpts.map(({ title, text }) => wrapInDocumentTags(title, text))
      const request = {
        system,
        prompt: `${blocks.join('\n\n')}\n\n${question}`,
        tools: [],
        temperature: undefined,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        maxSteps: 1,
        maxTokens: MAX_TOKENS_PER_REQUEST,
      }
      const meter = createTokenMeter()
      let isOver = false
      // A provider may send text after the time limit; it must not become part of the answer.
      const listener = { ...meter, onText: (text: string) => void (isOver || onText(text)) }
      try {
        const outcome = await runUntilDeadlineOrAbort(timeoutMs, signal, (inner) =>
          model.answer(request, listener, inner),
        )
        if (outcome.ended !== 'done') return outcome
        return { ended: 'done', truncatedBy: outcome.value.truncatedBy }
      } finally {
        isOver = true
        const usage = meter.usage()
        const costUsd = calculateCostUsd(prices, name, usage)
        const used = { ...usage, at: clock.now(), taskName: ASK_USAGE_NAME, model: name, costUsd }
        await db.transaction().execute((tx) => addUsage(tx, used))
        const { inputTokens, cachedInputTokens, outputTokens } = usage
        onUsed({ inputTokens, cachedInputTokens, outputTokens, costUsd })
      }
    },
  }
}
