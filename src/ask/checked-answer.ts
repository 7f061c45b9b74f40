import { ModelFailure } from '../ai/model.ts'
import type { TruncationReason } from '../ai/truncation.ts'
import {
  type AnswerEnd,
  type AnswerModel,
  isNotFoundAnswer,
  type AskPrompt,
} from './answer-prompt.ts'
import type { AnswerLimit, CheckedSentence, ModelCost } from './answer.ts'
import { createSentenceChecker, type SentenceChecker } from './check-sentences.ts'

/** A model's answer with checked sentences. */
export type CheckedModelAnswer = ModelCost & {
  sentences: CheckedSentence[]
  droppedSentences: number
  /** Null if the answer is complete, or says that there is none. */
  reason: AnswerLimit | null
  error: string | null
}

type Options = {
  /** What was used before. */
  cost: ModelCost
  /** The limit for all attempts together. */
  timeoutMs: number
  project: string | null
  signal: AbortSignal
  onSentence(sentence: CheckedSentence): void
}

/** A transient failure is retried once. The provider's client has its own retries for refused requests. */
const MAX_ATTEMPTS = 2

/** Asks a model and checks its sentences as they arrive. An answer that broke off keeps the sentences so far. */
export async function askForCheckedAnswer(
  model: AnswerModel,
  prompt: AskPrompt,
  options: Options,
): Promise<CheckedModelAnswer> {
  const { timeoutMs, project, signal, onSentence } = options
  const deadline = performance.now() + timeoutMs
  const cost = createCostSum(options.cost)
  for (let attempt = 1; ; attempt += 1) {
    const checker = createSentenceChecker({
      lineNumbers: prompt.lineNumbers,
      isNotFound: isNotFoundAnswer,
      onSentence,
    })
    const end = await attemptAnswer(model, prompt, {
      timeoutMs: Math.max(0, deadline - performance.now()),
      project,
      signal,
      onText: checker.add,
      onUsed: cost.add,
    })
    const isRetried =
      end.isTransient &&
      checker.sentences.length === 0 &&
      attempt < MAX_ATTEMPTS &&
      !signal.aborted &&
      performance.now() < deadline
    if (isRetried) continue
    // An unfinished sentence may lack its citation or its meaning, so only a complete answer has a last sentence.
    if (end.reason === null) checker.end()
    return {
      ...cost.sum(),
      sentences: [...checker.sentences],
      droppedSentences: checker.droppedCount(),
      reason: end.reason ?? (citesNothing(checker) ? 'no_citations' : null),
      error: end.error,
    }
  }
}

/** True if there is an answer, but none of its sentences can be shown. */
function citesNothing({ sentences, droppedCount, saidNotFound }: SentenceChecker): boolean {
  return sentences.length === 0 && droppedCount() > 0 && !saidNotFound()
}

type AttemptEnd = { reason: AnswerLimit | null; error: string | null; isTransient: boolean }

const LENGTH_REACHED = 'The answer of the model is incomplete: it reached its longest length'
const TRUNCATION_ERRORS: Readonly<Record<TruncationReason, string>> = {
  length: LENGTH_REACHED,
  max_tokens: LENGTH_REACHED,
  max_steps: LENGTH_REACHED,
  content_filter: 'The answer of the model is incomplete: the provider withheld a part of it',
}
const ENDS: Readonly<Record<Exclude<AnswerEnd['ended'], 'done'>, AttemptEnd>> = {
  late: {
    reason: 'model_timeout',
    error: 'The model did not answer in time',
    isTransient: false,
  },
  aborted: { reason: 'model_failed', error: 'The question was aborted', isTransient: false },
}

async function attemptAnswer(
  model: AnswerModel,
  prompt: AskPrompt,
  attempt: Parameters<AnswerModel['ask']>[1],
): Promise<AttemptEnd> {
  if (attempt.signal.aborted) return ENDS.aborted
  try {
    const end = await model.ask(prompt, attempt)
    if (end.ended !== 'done') return ENDS[end.ended]
    const { truncatedBy } = end
    return truncatedBy === null
      ? { reason: null, error: null, isTransient: false }
      : { reason: 'model_truncated', error: TRUNCATION_ERRORS[truncatedBy], isTransient: false }
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    const { message, isTransient } = error
    return { reason: 'model_failed', error: message, isTransient }
  }
}

/** Adds the tokens and costs of attempts to what was used before. */
export function createCostSum(before: ModelCost): { add(used: ModelCost): void; sum(): ModelCost } {
  let sum = before
  return {
    add(used) {
      sum = {
        inputTokens: sum.inputTokens + used.inputTokens,
        cachedInputTokens: sum.cachedInputTokens + used.cachedInputTokens,
        outputTokens: sum.outputTokens + used.outputTokens,
        costUsd:
          sum.costUsd === null && used.costUsd === null
            ? null
            : (sum.costUsd ?? 0) + (used.costUsd ?? 0),
      }
    },
    sum: () => sum,
  }
}

export const NO_COST: ModelCost = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  costUsd: null,
}
