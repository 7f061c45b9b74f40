import { askOnce } from '../../ai/ask-once.ts'
import { createMeteredModel } from '../../ai/metered-model.ts'
import { ModelFailure } from '../../ai/model.ts'
import { readPrices } from '../../ai/prices.ts'
import {
  createModelFinder,
  listProviderConfigStatuses,
  type ModelSettings,
  type ProviderConfigStatus,
} from '../../ai/providers.ts'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import type { TokenAndCostBudget } from '../../ai/usage.ts'

/** The language models that this instance can use. Never contains API keys. */
export type ConfiguredModels = {
  /** Null if no model is configured. Tasks can then use only the built-in rules. */
  defaultModel: string | null
  coachModel: string | null
  /** Null if recaps are made by rules only. */
  recapModel: string | null
  /** Null if questions are answered with passages only. */
  askModel: string | null
  providers: ProviderConfigStatus[]
}

export type ModelCheckResult = { ok: boolean; detail: string; durationMs: number }

type Parts = {
  db: Db
  clock: Clock
  log: Log
  settings: ModelSettings
  coachModel: string | undefined
  recapModel: string | null
  askModel: string | null
  budget: TokenAndCostBudget
  pricesFile: string | undefined
}

/** The name for the usage of model checks. No task can have it. */
const CHECK_USAGE_NAME = '(check)'
/** Time limit of a model check. Shorter than the console's request timeout, so that the console shows the result. */
const CHECK_TIMEOUT_MS = 25_000
const TEST_REQUEST = {
  system: 'This is a connection test.',
  prompt: 'Answer with the word OK and nothing else.',
  maxOutputTokens: 64,
  maxTokens: 1_000,
}

export function createModelDiagnostics(parts: Parts) {
  const { db, clock, settings, coachModel, recapModel, askModel, budget } = parts
  const models = createModelFinder(settings, parts.log)
  const context = { db, clock, models, prices: readPrices(parts.pricesFile), budget }

  return {
    facts: (): ConfiguredModels => ({
      defaultModel: models.defaultName,
      coachModel: coachModel ?? null,
      recapModel,
      askModel,
      providers: listProviderConfigStatuses(settings),
    }),
    /** Sends a test request to a language model. It costs a few tokens, so it runs only on request. */
    async check(name: string): Promise<ModelCheckResult> {
      const model = createMeteredModel(context, name, CHECK_USAGE_NAME)
      if (await model.isBudgetUsedUp()) throw new ServiceError('over_budget')
      const startedAt = performance.now()
      const toResult = (ok: boolean, detail: string): ModelCheckResult => ({
        ok,
        detail,
        durationMs: Math.round(performance.now() - startedAt),
      })
      try {
        const outcome = await askOnce(model.find, TEST_REQUEST, {
          timeoutMs: CHECK_TIMEOUT_MS,
          signal: new AbortController().signal,
          onUsed: async (usage) => void (await model.addUsage(usage, null)),
        })
        return outcome.ended === 'done'
          ? toResult(true, 'The model answers')
          : toResult(false, 'The model did not answer in time')
      } catch (error) {
        if (error instanceof ModelFailure) return toResult(false, error.message)
        throw error
      }
    },
  }
}
