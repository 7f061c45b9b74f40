import { shortenToOneLine } from '../language/clean-text.ts'
import type { CheckedSentence } from './answer.ts'

type Parts = {
  /** The numbers that can be cited. */
  lineNumbers: ReadonlySet<number>
  /** True if a sentence says that there is no answer. It is neither used nor counted. */
  isNotFound(sentence: string): boolean
  onSentence(sentence: CheckedSentence): void
}

/** More sentences are not shown, to keep a runaway answer small. */
const MAX_SENTENCES = 100
const MAX_SENTENCE_CHARS = 1_000
const MAX_NUMBERS_PER_SENTENCE = 20
const MAX_RANGE = 20
const CITATIONS = /\s*[[【]\s*(\d[\d\s,;–-]*)[\]】]/gu
/** Signs of lists and headings, which some models write despite the prompt. */
const LINE_DECORATION = /^\s*(?:[-*•>#]+\s+|\d{1,2}[.)]\s+)+/u

/** Text without a sentence end is cut here, to save memory. */
const MAX_PENDING_CHARS = 4_000
/** The end of a line ends a sentence, even without a full stop. */
const LINE_BREAK = /[\n\r\u2028\u2029]/
const CITATION = String.raw`[[【]\s*\d[\d\s,;–-]*[\]】]`
/** Terminators in any script with closing quotes and brackets, and the citations after them. */
const SENTENCE_END = new RegExp(
  String.raw`[.!?…؟।。！？｡]+["'”’»)\]）」』]*(?:\s*${CITATION})*[.!?…؟।。！？｡]*`,
  'gu',
)
/** Scripts with these terminators have no space between sentences. */
const UNSPACED_END = new RegExp(String.raw`[。！？｡]["'”’»)\]）」』]*(?:\s*${CITATION})*$`, 'u')
/** The beginning of a citation. Its end may come in the next piece. */
const OPEN_CITATION = /^\s*[[【][\d\s,;–-]*$/u
const WHOLE_WORD = /^\s+\S+\s/u
const MAX_WORD_CHARS = 30
const LAST_WORD = /[\p{L}\p{N}.]+$/u
const ABBREVIATIONS = new Set(
  [
    'mr mrs ms dr prof st sr jr no vs approx dept inc ltd co corp e.g i.e a.m p.m u.s u.k',
    'nr ca bzw usw ggf evtl inkl vgl abs str z.b d.h u.a',
    'mme mlle sra srta dra ing aprox pág p.ej p.ex',
  ].flatMap((words) => words.split(' ')),
)
/** German dates and ordinals contain a full stop: `am 3. Mai`. */
const AFTER_ORDINAL =
  /^(?:Jan|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Quartal|Stock|Etage|Woche|Kalenderwoche)/u

/** Reads a model's answer piece by piece, and keeps the sentences that cite a line that the model was given. */
export function createSentenceChecker(parts: Parts) {
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
    /** The sentences so far. */
    sentences,
    add: (text: string) => splitter.add(text).forEach(check),
    /** Checks the remaining text when the answer has ended. */
    end: () => splitter.end().forEach(check),
    /** How many sentences cite nothing that the model was given. */
    droppedCount: () => dropped,
    /** True if the model said that there is no answer. */
    saidNotFound: () => saidNotFound,
  }
}

export type SentenceChecker = ReturnType<typeof createSentenceChecker>

/** The numbers in square brackets, without duplicates: `[3]`, `[3, 7]` and `[3-5]`. */
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

/** Splits a text that arrives in pieces into sentences. Citations after the full stop belong to the sentence. */
export function createSentenceSplitter() {
  let pending = ''
  const takeComplete = (isEnd: boolean): string[] => {
    const lines = pending.split(LINE_BREAK)
    const last = splitLine(lines.pop() ?? '', isEnd)
    pending = last.rest
    return [...lines.flatMap((line) => splitLine(line, true).sentences), ...last.sentences]
  }
  return {
    /** Adds a piece of the text, and returns the sentences that are now complete. */
    add(text: string): string[] {
      const sentences: string[] = []
      // A long piece is read in parts, because the time for the patterns grows faster than the length.
      for (let start = 0; start < text.length; start += MAX_PENDING_CHARS) {
        pending += text.slice(start, start + MAX_PENDING_CHARS)
        sentences.push(...takeComplete(false))
        if (pending.length <= MAX_PENDING_CHARS) continue
        sentences.push(pending)
        pending = ''
      }
      return sentences
    },
    /** Returns the remaining text when the text has ended. */
    end: () => takeComplete(true),
  }
}

function splitLine(line: string, isEnd: boolean): { sentences: string[]; rest: string } {
  const sentences: string[] = []
  let start = 0
  for (const match of line.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length
    const [before, after] = [line.slice(start, end), line.slice(end)]
    if (!isEnd && !canDecide(before, after)) break
    if (!isSentenceEnd(before, after)) continue
    sentences.push(before)
    start = end
  }
  const rest = line.slice(start)
  if (!isEnd) return { sentences, rest }
  return { sentences: [...sentences, rest].filter((text) => text.trim() !== ''), rest: '' }
}

/** True if the next piece (a citation, or the first word after it) cannot change the decision. */
function canDecide(before: string, after: string): boolean {
  if (after.trim() === '' || OPEN_CITATION.test(after)) return false
  return !/^\s/.test(after) || UNSPACED_END.test(before) || WHOLE_WORD.test(after)
}

function isSentenceEnd(before: string, after: string): boolean {
  if (UNSPACED_END.test(before)) return true
  if (after !== '' && !/^\s/.test(after)) return false
  const next = after.trimStart()
  // The full stop belongs to an abbreviation, or to an omission in the middle of the sentence.
  if (/^\p{Ll}/u.test(next)) return false
  if (!before.endsWith('.')) return true
  const word = LAST_WORD.exec(before.slice(-MAX_WORD_CHARS, -1))?.[0] ?? ''
  if (/^\p{L}$/u.test(word) || ABBREVIATIONS.has(word.toLowerCase())) return next === ''
  if (!/^\d{1,2}$/.test(word)) return true
  const isListNumber = before.trim() === `${word}.`
  return !isListNumber && !AFTER_ORDINAL.test(next)
}
