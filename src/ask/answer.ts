import type { FoundText } from '../projects/search/search-types.ts'

/**
 * `model`: a language model wrote the answer. `recap`: the answer is statements of recaps. `passages`: only the passages
 * that may contain it.
 */
export const ANSWER_METHODS = ['model', 'recap', 'passages'] as const
export type AnswerMethod = (typeof ANSWER_METHODS)[number]

/**
 * Why there is no answer, or only part of one.
 * `no_passages`: no text has a word of the question, so no model was asked. `no_model`: none is configured.
 * `budget`: the budget for models is used up. `model_failed`, `model_timeout`: it gave no complete answer.
 * `model_truncated`: its answer reached the maximum length, or the provider withheld part of it.
 * `no_citations`: no sentence of its answer cites a line that it was given.
 * `too_many_statements`: recaps have more statements than the answer.
 */
export const ANSWER_LIMITS = [
  'no_passages',
  'no_model',
  'budget',
  'model_failed',
  'model_timeout',
  'model_truncated',
  'no_citations',
  'too_many_statements',
] as const
export type AnswerLimit = (typeof ANSWER_LIMITS)[number]

/** A line of a meeting or document that an answer can cite. */
export type CitedLine = FoundText & {
  /** The number for citing it, as in `[3]`. */
  number: number
}

/** A line that may answer the question, with the lines around it. */
export type AnswerPassage = CitedLine & { before: CitedLine[]; after: CitedLine[] }

export type CheckedSentence = { text: string; citationNumbers: number[] }

export type ModelCost = {
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  /** Null if the model's price is unknown, or no model was asked. */
  costUsd: number | null
}

export type Answer = ModelCost & {
  question: string
  found: boolean
  method: AnswerMethod
  reason: AnswerLimit | null
  /** What went wrong with the model, written for people. */
  error: string | null
  model: string | null
  /** Null if there are only passages, if any. */
  answer: string | null
  sentences: CheckedSentence[]
  /** The lines that the sentences cite, by number. */
  citations: CitedLine[]
  droppedSentences: number
  /** The texts that match the question, best first. */
  passages: AnswerPassage[]
}

export const NOT_FOUND_TEXT = 'Not found in your meetings.'
