import { createAskModelFunction, askOnce } from '../ai/ask-once.ts'
import { ModelFailure, type Model, type TokenUsage } from '../ai/model.ts'
import { calculateCostUsd, readPrices } from '../ai/prices.ts'
import { createModelFinder, findModelConfigProblem } from '../ai/providers.ts'
import type { AnswerModel } from '../ask/answer-prompt.ts'
import {
  type Config,
  toModelSettings,
  needsMasterKey,
  findRecapModelName,
  findAskModelName,
} from '../config/config.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import type { CoachModelOpener } from '../meetings/attending/attend.ts'
import { addUsedCoachTokens, readUsedCoachTokens } from '../meetings/attending/resume-state.ts'
import { findMeeting } from '../meetings/record/meeting-store.ts'
import type { RecapModel } from '../recap/model/model-recap.ts'
import { addRecapTokens } from '../recap/store/stored-recap.ts'
import { wrapInDocumentTags } from '../tasks/prompts/prompt-text.ts'
import { isBudgetUsedUp, addUsage } from '../tasks/usage.ts'

export type MeteredModelParts = { config: Config; db: Db; clock: Clock; log: Log }

/** The purpose of a request: the readers of its project see its usage. Everyone sees usage without a project. */
type UsedFor = { meetingId: string } | { project: string | null }

/** A language model whose tokens count toward the budget and the usage, although no task uses it. */
export interface MeteredModel {
  readonly name: string
  find(): Promise<Model>
  isBudgetUsedUp(): Promise<boolean>
  /** Rejects with a ModelFailure if the budget is used up. */
  requireBudget(): Promise<void>
  /** Stores the tokens of a request and returns their cost. `alsoStore` runs first, in the same transaction. */
  addUsage(
    usage: TokenUsage,
    usedFor: UsedFor,
    alsoStore?: (tx: Tx, used: { tokens: number; costUsd: number | null }) => Promise<void>,
  ): Promise<number | null>
}

const ANSWER_TIMEOUT_MS = 180_000
const MAX_OUTPUT_TOKENS = 6_000
/** Input and output of one request. A part of a meeting has up to 12,000 tokens by an estimate that may be low. */
const MAX_TOKENS_PER_REQUEST = 100_000

const MAX_ASK_OUTPUT_TOKENS = 2_000
/** Input and output of one request. The excerpts have up to 48,000 characters, in some scripts as many tokens. */
const MAX_TOKENS_PER_ASK = 100_000

/** `usageName` is stored in place of a task name. It has parentheses, which a task name can't have. */
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

/**
 * Null if no language model is configured for the coach, or if this node only attends meetings and has no key for the
 * model. The coach then uses only its rules.
 */
export function createCoachModelOpener(parts: MeteredModelParts): CoachModelOpener | null {
  const name = parts.config.aiCoachModel
  if (name === undefined || name.startsWith('builtin/')) return null
  if (
    !needsMasterKey(parts.config) &&
    findModelConfigProblem(toModelSettings(parts.config), name) !== null
  )
    return null
  const model = createMeteredModel(parts, { name, usageName: '(coach)' })
  return async (meetingId) => {
    const ask = createAskModelFunction(model.find, async (usage) => {
      await model.addUsage(usage, { meetingId }, (tx, { tokens }) =>
        addUsedCoachTokens(tx, meetingId, tokens),
      )
    })
    return {
      usedTokens: await readUsedCoachTokens(parts.db, meetingId),
      async ask(question, onTokens, signal) {
        await model.requireBudget()
        return ask(question, onTokens, signal)
      },
    }
  }
}

/** Null if no language model is configured for recaps. They are then made by rules only. */
export function createRecapModel(parts: MeteredModelParts): RecapModel | null {
  const name = findRecapModelName(parts.config)
  if (name === null) return null
  const model = createMeteredModel(parts, { name, usageName: '(recap)' })
  return {
    name,
    async ask(meetingId, { system, facts, participants, transcript, format }, signal) {
      await model.requireBudget()
      const ask = createAskModelFunction(
        model.find,
        async (usage) => {
          await model.addUsage(usage, { meetingId }, (tx, used) =>
            addRecapTokens(tx, meetingId, used),
          )
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

/** Null if no language model is configured for questions. They are then answered with passages only. */
export function createAnswerModel(parts: MeteredModelParts): AnswerModel | null {
  const name = findAskModelName(parts.config)
  if (name === null) return null
  const model = createMeteredModel(parts, { name, usageName: '(ask)' })
  return {
    name,
    isBudgetUsedUp: model.isBudgetUsedUp,
    async ask({ system, excerpts, question }, { timeoutMs, project, signal, onText, onUsed }) {
      const blocks = excerpts.map(({ title, text }) => wrapInDocumentTags(title, text))
      const request = {
        system,
        prompt: `${blocks.join('\n\n')}\n\n${question}`,
        maxOutputTokens: MAX_ASK_OUTPUT_TOKENS,
        maxTokens: MAX_TOKENS_PER_ASK,
      }
      const outcome = await askOnce(model.find, request, {
        timeoutMs,
        signal,
        onText,
        async onUsed(usage) {
          const costUsd = await model.addUsage(usage, { project })
          const { inputTokens, cachedInputTokens, outputTokens } = usage
          onUsed({ inputTokens, cachedInputTokens, outputTokens, costUsd })
        },
      })
      if (outcome.ended !== 'done') return outcome
      return { ended: 'done', truncatedBy: outcome.value.truncatedBy }
    },
  }
}
