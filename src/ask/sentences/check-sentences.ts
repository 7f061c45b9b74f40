import { shortenToOneLine } from '../../coach/text/display-text.ts'
import type { CheckedSentence } from '../answer.ts'
import { createSentenceSplitter } from './split-sentences.ts'

/** Reads the answer of a model piece by piece and keeps the sentences that cite a line which the model was given. */
export interface SentenceChecker {
  add(text: string): void
  /** Checks what is left when the answer has ended. */
  end(): void
  /** The sentences so far. */
  readonly sentences: readonly CheckedSentence[]
  /** How many sentences cite nothing that the model was given. */
  droppedCount(): number
  /** Whether the model said that there is no answer. */
  saidNotFound(): boolean
}

type Parts = {
  /** The numbers that can be cited. */
  lineNumbers: ReadonlySet<number>
  /** Whether a sentence says that there is no answer. It is neither used nor counted. */
  isNotFound(sentence: string): boolean
  onSentence(sentence: CheckedSentence): void
}

/** More are not shown, so that a runaway answer stays small. */
const MAX_SENTENCES = 100
const MAX_SENTENCE_CHARS = 1_000
const MAX_NUMBERS_PER_SENTENCE = 20
const MAX_RANGE = 20
const CITATIONS = /\s*[[【]\s*(\d[\d\s,;–-]*)[\]】]/gu
/** Signs of lists and headings, which some models write in spite of the prompt. */
const LINE_DECORATION = /^\s*(?:[-*•>#]+\s+|\d{1,2}[.)]\s+)+/u

export function createSentenceChecker(parts: Parts): SentenceChecker {
  const splitter = createSentenceSplitter()
  const sentences: CheckedSentence[] = []
  let dropped = 0
  let saidNotFound = false
  const check = (raw: string) => {
    const citationNumbers = listCitedNumbers(raw).filter((number) => parts.lineNumbers.has(number))
    const text = toPlainText(raw)
    if (!/[\p{L}\p{N}]/u.test(text)) return
    if (parts.isNotFound(text)) {
      saidNotFound = true
      return
    }
    if (citationNumbers.length === 0 || sentences.length >= MAX_SENTENCES) {
      dropped += 1
      return
    }
    const sentence = { text, citationNumbers }
    sentences.push(sentence)
    parts.onSentence(sentence)
  }
  return {
    sentences,
    add: (text) => splitter.add(text).forEach(check),
    end: () => splitter.end().forEach(check),
    droppedCount: () => dropped,
    saidNotFound: () => saidNotFound,
  }
}

/** The numbers in square brackets, each once: `[3]`, `[3, 7]` and `[3-5]`. */
function listCitedNumbers(text: string): number[] {
  const numbers = new Set<number>()
  for (const [, list = ''] of text.matchAll(CITATIONS)) {
    for (const part of list.split(/[,;]/)) {
      const [first = Number.NaN, last = first] = part.split(/[–-]/).map(parseNumber)
      for (let number = first; number <= Math.min(last, first + MAX_RANGE); number += 1) {
        numbers.add(number)
      }
    }
  }
  return [...numbers].slice(0, MAX_NUMBERS_PER_SENTENCE)
}

function parseNumber(text: string): number {
  return /^\s*\d{1,6}\s*$/.test(text) ? Number(text) : Number.NaN
}

function toPlainText(sentence: string): string {
  const words = sentence.replace(CITATIONS, '').replace(LINE_DECORATION, '').replaceAll('**', '')
  return shortenToOneLine(words, MAX_SENTENCE_CHARS)
}
