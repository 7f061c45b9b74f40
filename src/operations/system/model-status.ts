import { ModelFailure, createTokenMeter } from '../../ai/model.ts'
import { calculateCostUsd, readPrices } from '../../ai/prices.ts'
import {
  createModelFinder,
  listProviderConfigStatuses,
  type ModelSettings,
  type ProviderConfigStatus,
} from '../../ai/providers.ts'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { runUntilDeadlineOrAbort } from '../../lib/async/abort.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import { isBudgetUsedUp, type TokenAndCostBudget, addUsage } from '../../tasks/usage.ts'

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
  tools: [],
  temperature: undefined,
  maxOutputTokens: 64,
  maxSteps: 1,
  maxTokens: 1_000,
}

export function createModelDiagnostics(parts: Parts) {
  const { db, clock, settings, coachModel, recapModel, askModel, budget } = parts
  const models = createModelFinder(settings, parts.log)
  const prices = readPrices(parts.pricesFile)

  const sendTestRequest = async (name: string): Promise<string> => {
    const meter = createTokenMeter()
    const listener = { ...meter, onText: () => undefined }
    const model = await models.find(name)
    try {
      const result = await runUntilDeadlineOrAbort(
        CHECK_TIMEOUT_MS,
        new AbortController().signal,
        (signal) => model.answer(TEST_REQUEST, listener, signal),
      )
      if (result.ended === 'done') return 'The model answers'
      throw new ModelFailure('The model did not answer in time', true)
    } finally {
      const usage = meter.usage()
      const used = {
        ...usage,
        at: clock.now(),
        taskName: CHECK_USAGE_NAME,
        model: name,
        project: null,
      }
      await db
        .transaction()
        .execute((tx) => addUsage(tx, { ...used, costUsd: calculateCostUsd(prices, name, usage) }))
    }
  }

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
      if (await isBudgetUsedUp(db, budget, clock.now())) throw new ServiceError('over_budget')
      const startedAt = performance.now()
      const toResult = (ok: boolean, detail: string): ModelCheckResult => ({
        ok,
        detail,
        durationMs: Math.round(performance.now() - startedAt),
      })
      try {
        return toResult(true, await sendTestRequest(name))
      } catch (error) {
        if (error instanceof ModelFailure) return toResult(false, error.message)
        throw error
      }
    },
  }
}
