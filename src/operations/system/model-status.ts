import { ModelFailure } from '../../ai/model.ts'
import { calculateCost, readPrices } from '../../ai/prices.ts'
import {
  createModels,
  listProviders,
  type ModelSettings,
  type ProviderState,
} from '../../ai/providers.ts'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { runWithDeadline } from '../../lib/async/deadline.ts'
import { isBudgetUsedUp, type Budget } from '../../tasks/usage/budget.ts'
import { createTokenMeter } from '../../tasks/usage/token-meter.ts'
import { addUsage } from '../../tasks/usage/usage-store.ts'

/** Which language models this instance can use; no key is ever in it. */
export type ModelStatus = {
  /** Null: the built-in rules alone. */
  defaultModel: string | null
  coachModel: string | null
  providers: ProviderState[]
}

export type ModelCheckResult = { ok: boolean; detail: string; durationMs: number }

type Parts = {
  db: Db
  clock: Clock
  settings: ModelSettings
  coachModel: string | undefined
  budget: Budget
  pricesFile: string | undefined
}

/** No task can be called so. */
const CHECK_USAGE_NAME = '(check)'
/** Less than a page of the console waits for an answer. */
const CHECK_TIMEOUT_MS = 25_000
const TEST_REQUEST = {
  system: 'Somebody checks whether you can be reached.',
  prompt: 'Answer with the word OK and nothing else.',
  tools: [],
  temperature: undefined,
  maxOutputTokens: 64,
  maxSteps: 1,
  maxTokens: 1_000,
}

export function createModelStatus(parts: Parts) {
  const { db, clock, settings, coachModel, budget } = parts
  const models = createModels(settings)
  const prices = readPrices(parts.pricesFile)

  const ask = async (name: string): Promise<string> => {
    const meter = createTokenMeter()
    const listener = { onText: () => undefined, onStep: meter.beginStep, onTokens: meter.addTokens }
    const model = await models.find(name)
    try {
      const raced = await runWithDeadline(
        CHECK_TIMEOUT_MS,
        new AbortController().signal,
        (signal) => model.answer(TEST_REQUEST, listener, signal),
      )
      if (raced.ended === 'done') return 'It answers'
      throw new ModelFailure('It did not answer in time', true)
    } finally {
      const usage = meter.usage()
      const used = { ...usage, at: clock.now(), taskName: CHECK_USAGE_NAME, model: name }
      await db
        .transaction()
        .execute((tx) => addUsage(tx, { ...used, costUsd: calculateCost(prices, name, usage) }))
    }
  }

  return {
    facts: (): ModelStatus => ({
      defaultModel: models.defaultName,
      coachModel: coachModel ?? null,
      providers: listProviders(settings),
    }),
    /** Costs a few tokens, so it is asked only when somebody wants to know. */
    async check(name: string): Promise<ModelCheckResult> {
      if (await isBudgetUsedUp(db, budget, clock.now())) throw new ServiceError('over_budget')
      const began = performance.now()
      const answer = (ok: boolean, detail: string): ModelCheckResult => ({
        ok,
        detail,
        durationMs: Math.round(performance.now() - began),
      })
      try {
        return answer(true, await ask(name))
      } catch (error) {
        if (error instanceof ModelFailure) return answer(false, error.message)
        throw error
      }
    },
  }
}
