import { ModelFailure } from '../ai/model.ts'
import { costOf, readPrices } from '../ai/prices.ts'
import {
  createModels,
  listProviders,
  type ModelSettings,
  type ProviderState,
} from '../ai/providers.ts'
import type { Db } from '../db/open.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { raceDeadline } from '../lib/deadline.ts'
import { isUsedUp, type Budget } from '../tasks/budget.ts'
import { createMeter } from '../tasks/meter.ts'
import { addUsage } from '../tasks/usage.ts'

/** Which language models this instance can use; no key is ever in it. */
export type ModelFacts = {
  /** Null: the built-in rules alone. */
  defaultModel: string | null
  coachModel: string | null
  providers: ProviderState[]
}

export type ModelAnswer = { ok: boolean; detail: string; durationMs: number }

type Parts = {
  db: Db
  clock: Clock
  settings: ModelSettings
  coachModel: string | undefined
  budget: Budget
  pricesFile: string | undefined
}

/** No task can be called so. */
const USAGE_NAME = '(check)'
/** Less than a page of the console waits for an answer. */
const PATIENCE_MS = 25_000
const QUESTION = {
  system: 'Somebody checks whether you can be reached.',
  prompt: 'Answer with the word OK and nothing else.',
  tools: [],
  temperature: undefined,
  maxOutputTokens: 64,
  maxSteps: 1,
  maxTokens: 1_000,
}

export function createModelFacts(parts: Parts) {
  const { db, clock, settings, coachModel, budget } = parts
  const models = createModels(settings)
  const prices = readPrices(parts.pricesFile)

  const ask = async (name: string): Promise<string> => {
    const meter = createMeter()
    const listener = { onText: () => undefined, onStep: meter.begin, onTokens: meter.add }
    const model = await models.find(name)
    try {
      const raced = await raceDeadline(PATIENCE_MS, new AbortController().signal, (signal) =>
        model.answer(QUESTION, listener, signal),
      )
      if (raced.ended === 'done') return 'It answers'
      throw new ModelFailure('It did not answer in time', true)
    } finally {
      const usage = meter.usage()
      const used = { ...usage, at: clock.now(), taskName: USAGE_NAME, model: name }
      await db
        .transaction()
        .execute((tx) => addUsage(tx, { ...used, costUsd: costOf(prices, name, usage) }))
    }
  }

  return {
    facts: (): ModelFacts => ({
      defaultModel: models.defaultName,
      coachModel: coachModel ?? null,
      providers: listProviders(settings),
    }),
    /** Costs a few tokens, so it is asked only when somebody wants to know. */
    async check(name: string): Promise<ModelAnswer> {
      if (await isUsedUp(db, budget, clock.now())) throw new ServiceError('over_budget')
      const began = performance.now()
      const answer = (ok: boolean, detail: string): ModelAnswer => ({
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
