import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import { type AnswerModel, createAskPrompt } from './answer-prompt.ts'
import {
  NOT_FOUND_TEXT,
  type Answer,
  type AnswerLimit,
  type CheckedSentence,
  type CitedLine,
  type ModelCost,
} from './answer.ts'
import { askForCheckedAnswer, type CheckedModelAnswer } from './checked-answer.ts'
import type { CitableLines } from './citable-lines.ts'
import type { RecapSentences } from './recap-answer.ts'

export type AnswerListener = {
  /** Called when a sentence of the answer was checked, with the lines that it cites. */
  onSentence(sentence: CheckedSentence, citations: CitedLine[]): void
}

type Parts = {
  clock: Clock
  log: Log
  model: AnswerModel | null
  timeoutMs: number
}

/**
 * Lets the model answer from the passages. Without a model or an answer from it, statements of recaps are the answer, or
 * else the passages.
 */
export async function answerFromPassages(
  { clock, log, model, timeoutMs }: Parts,
  {
    question,
    passages,
    sources,
    numbersByRank,
    recap,
    cost,
  }: CitableLines & { question: string; recap: RecapSentences; cost: ModelCost },
  listener: AnswerListener,
  signal: AbortSignal,
): Promise<Answer> {
  const lines = new Map(
    sources.flatMap((source) => source.lines).map(({ line }) => [line.number, line]),
  )
  const linesOf = (numbers: Iterable<number>) =>
    Array.from(numbers).flatMap((number) => lines.get(number) ?? [])
  const withoutModel = (reason: AnswerLimit): Answer =>
    answerFromRecap(createPassagesAnswer({ question, passages, reason, cost }), {
      recap,
      linesOf,
      listener,
    })
  if (sources.length === 0) return withoutModel('no_passages')
  if (model === null) return withoutModel('no_model')
  if (await model.isBudgetUsedUp()) return withoutModel('budget')
  const prompt = createAskPrompt(question, { sources, numbersByRank }, clock.now())
  const answered = await askForCheckedAnswer(model, prompt, {
    cost,
    timeoutMs,
    project: findOnlyProject(lines.values()),
    signal,
    onSentence: (sentence) => listener.onSentence(sentence, linesOf(sentence.citationNumbers)),
  })
  if (answered.reason !== null && !signal.aborted) {
    const { reason, error } = answered
    log.warn({ model: model.name, reason, error }, 'a model did not answer a question in full')
  }
  const answer = createModelAnswer({ question, passages, model: model.name, answered, linesOf })
  return signal.aborted ? answer : answerFromRecap(answer, { recap, linesOf, listener })
}

type RecapAnswerParts = {
  recap: RecapSentences
  linesOf(numbers: Iterable<number>): CitedLine[]
  listener: AnswerListener
}

/** Replaces an answer that is only passages with the statements of recaps, if there are any. */
function answerFromRecap(
  answer: Answer,
  { recap: { sentences, isShortened }, linesOf, listener }: RecapAnswerParts,
): Answer {
  if (answer.method !== 'passages' || sentences.length === 0) return answer
  for (const sentence of sentences) listener.onSentence(sentence, linesOf(sentence.citationNumbers))
  const { reason } = answer
  const shortened = isShortened ? 'too_many_statements' : null
  return {
    ...answer,
    found: true,
    method: 'recap',
    // Without a model, this is the whole answer.
    reason: reason === 'no_model' ? shortened : reason,
    answer: formatAnswer(sentences),
    sentences: [...sentences],
    citations: listCitations(sentences, linesOf),
  }
}

function listCitations(
  sentences: readonly CheckedSentence[],
  linesOf: RecapAnswerParts['linesOf'],
): CitedLine[] {
  const cited = new Set(sentences.flatMap(({ citationNumbers }) => citationNumbers))
  return linesOf([...cited].toSorted((a, b) => a - b))
}

/** The project of the lines; null if they belong to several. */
function findOnlyProject(lines: Iterable<CitedLine>): string | null {
  const projects = new Set(Array.from(lines, ({ project }) => project))
  const [project = null] = projects
  return projects.size === 1 ? project : null
}

type PassagesAnswer = Pick<Answer, 'question' | 'passages'> & {
  reason: AnswerLimit
  cost: ModelCost
}

function createPassagesAnswer({ question, passages, reason, cost }: PassagesAnswer): Answer {
  return {
    ...cost,
    question,
    found: passages.length > 0,
    method: 'passages',
    reason,
    error: null,
    model: null,
    answer: reason === 'no_passages' ? NOT_FOUND_TEXT : null,
    sentences: [],
    citations: [],
    droppedSentences: 0,
    passages,
  }
}

type ModelAnswerParts = Pick<Answer, 'question' | 'passages'> & {
  model: string
  answered: CheckedModelAnswer
  linesOf(numbers: Iterable<number>): CitedLine[]
}

function createModelAnswer({
  question,
  passages,
  model,
  answered,
  linesOf,
}: ModelAnswerParts): Answer {
  const { sentences, reason, ...rest } = answered
  const citations = listCitations(sentences, linesOf)
  const base = { ...rest, question, reason, model, sentences, citations, passages }
  if (sentences.length > 0) {
    return { ...base, found: true, method: 'model', answer: formatAnswer(sentences) }
  }
  if (reason === null) return { ...base, found: false, method: 'model', answer: NOT_FOUND_TEXT }
  return { ...base, found: passages.length > 0, method: 'passages', answer: null }
}

function formatAnswer(sentences: readonly CheckedSentence[]): string {
  return sentences
    .map(({ text, citationNumbers }) => `${text} ${citationNumbers.map((n) => `[${n}]`).join('')}`)
    .join(' ')
}
