import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import { type AnswerModel, createAskPrompt } from './answer-prompt.ts'
import {
  NOT_FOUND_TEXT,
  type Answer,
  type AnswerLimit,
  type CheckedSentence,
  type CitedLine,
} from './answer.ts'
import { askForCheckedAnswer, NO_COST, type CheckedModelAnswer } from './checked-answer.ts'
import type { CitableLines } from './citable-lines.ts'

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

/** Lets the model answer from the passages. Without a model or an answer from it, the passages are the answer. */
export async function answerFromPassages(
  { clock, log, model, timeoutMs }: Parts,
  { question, passages, sources, numbersByRank }: CitableLines & { question: string },
  listener: AnswerListener,
  signal: AbortSignal,
): Promise<Answer> {
  const withoutModel = (reason: AnswerLimit): Answer =>
    createPassagesAnswer({ question, passages, reason })
  if (sources.length === 0) return withoutModel('no_passages')
  if (model === null) return withoutModel('no_model')
  if (await model.isBudgetUsedUp()) return withoutModel('budget')
  const lines = new Map(
    sources.flatMap((source) => source.lines).map(({ line }) => [line.number, line]),
  )
  const linesOf = (numbers: Iterable<number>) =>
    Array.from(numbers).flatMap((number) => lines.get(number) ?? [])
  const prompt = createAskPrompt(question, { sources, numbersByRank }, clock.now())
  const answered = await askForCheckedAnswer(model, prompt, {
    timeoutMs,
    project: findOnlyProject(lines.values()),
    signal,
    onSentence: (sentence) => listener.onSentence(sentence, linesOf(sentence.citationNumbers)),
  })
  if (answered.reason !== null && !signal.aborted) {
    const { reason, error } = answered
    log.warn({ model: model.name, reason, error }, 'a model did not answer a question in full')
  }
  return createModelAnswer({ question, passages, model: model.name, answered, linesOf })
}

/** The project of the lines; null if they belong to several. */
function findOnlyProject(lines: Iterable<CitedLine>): string | null {
  const projects = new Set(Array.from(lines, ({ project }) => project))
  const [project = null] = projects
  return projects.size === 1 ? project : null
}

type PassagesAnswer = Pick<Answer, 'question' | 'passages'> & { reason: AnswerLimit }

function createPassagesAnswer({ question, passages, reason }: PassagesAnswer): Answer {
  return {
    ...NO_COST,
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
  const cited = new Set(sentences.flatMap(({ citationNumbers }) => citationNumbers))
  const citations = linesOf([...cited].toSorted((a, b) => a - b))
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
