import { createMeteredModel, type MeteredModel } from '../ai/metered-model.ts'
import { readPrices } from '../ai/prices.ts'
import { createModelFinder, findModelConfigProblem } from '../ai/providers.ts'
import { traceModels } from '../ai/traced-model.ts'
import { createAnswerModel } from '../ask/answer-prompt.ts'
import {
  type Config,
  findAskModelName,
  findRecapModelName,
  needsMasterKey,
  toModelSettings,
} from '../config/config.ts'
import type { Db } from '../db/database.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Tracer } from '../lib/tracer.ts'
import type { Log } from '../log.ts'
import { createCoachModelOpener } from '../meetings/attending/coach-model.ts'
import { createRecapModel } from '../recap/model/recap-model.ts'

/** The language models that the areas use besides tasks. Null for an area without one, which then uses its rules. */
export function createLanguageModels(parts: {
  config: Config
  db: Db
  clock: Clock
  log: Log
  tracer: Tracer
}) {
  const { config, db, clock, log, tracer } = parts
  const context = {
    db,
    clock,
    models: traceModels(createModelFinder(toModelSettings(config), log), tracer),
    prices: readPrices(config.aiPricesFile),
    budget: { dailyTokens: config.aiDailyTokens, monthlyUsd: config.aiMonthlyUsd },
  }
  function create<T>(
    name: string | null,
    usageName: `(${string})`,
    createModel: (model: MeteredModel) => T,
  ): T | null {
    return name === null ? null : createModel(createMeteredModel(context, name, usageName))
  }
  return {
    coach: create(findCoachModelName(config), '(coach)', (model) =>
      createCoachModelOpener(db, model),
    ),
    recap: create(findRecapModelName(config), '(recap)', (model) => createRecapModel(db, model)),
    answer: create(findAskModelName(config), '(ask)', createAnswerModel),
  }
}

/** Null also for a node that only attends meetings and has no key for the model. */
function findCoachModelName(config: Config): string | null {
  const { aiCoachModel: name } = config
  if (name === undefined || name.startsWith('builtin/')) return null
  const lacksKey = findModelConfigProblem(toModelSettings(config), name) !== null
  return lacksKey && !needsMasterKey(config) ? null : name
}
