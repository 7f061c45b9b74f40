import type { NameMention, PeopleFinder } from './people.ts'
import { countWords, foldText } from './words.ts'

/** A sentence, prepared for patterns. `text`, `folded` and `masked` have the same length. */
export type SpokenSentence = {
  text: string
  folded: string
  /** The folded text, with people's names replaced by `@`. */
  masked: string
  mentions: readonly NameMention[]
  isQuestion: boolean
}

/** A punctuation mark that may end a sentence, with closing quotes and brackets after it. */
const SENTENCE_END = /[.!?…؟。！？｡][.!?…؟。！？｡"'”’»)\]」』）]*/gu
/** Full-width marks, which end a sentence without a following space. */
const FULL_WIDTH = /^[。！？｡]/u
const QUESTION_END = /[?？؟][!?？؟"'”’»)\]」』）]{0,8}$/u

/** Abbreviations, whose full stop does not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|hon|st|vs|e\.g|i\.e|approx)\.$/i

/** An ordinal number like "20." in some languages, and what follows it: "bis zum 20. ändern", "am 31. Oktober". */
const ORDINAL_NUMBER = /(?:^|\s)\d{1,2}\.$/
const AFTER_ORDINAL_NUMBER = /^ (?:\p{Ll}|Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)/u

/** A tag such as "right?" that turns a statement into a question without asking for an answer. */
const TAG_QUESTION =
  /(?:^|[\s,])(?:right|ok|okay|yes|yeah|no|huh|eh|you know|you see|know what i mean|isn't it|aren't we|don't we|don't you think)\?+["'”’)]?$/i

/** Prepares a sentence of a plain line for patterns. */
export function readSentence(text: string, people: PeopleFinder): SpokenSentence {
  const folded = foldText(text)
  return { text, folded, ...people.maskNames(text, folded), isQuestion: isQuestion(text) }
}

export function splitSentences(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (const { 0: mark, index } of text.matchAll(SENTENCE_END)) {
    const end = index + mark.length
    const isEnd = end === text.length || FULL_WIDTH.test(mark) || isBlank(text.charAt(end))
    if (!isEnd || isAbbreviationOrOrdinal(text, Math.max(start, end - 8), end)) continue
    sentences.push(text.slice(start, end).trim())
    start = end
  }
  const rest = text.slice(start).trim()
  if (rest !== '') sentences.push(rest)
  return sentences
}

function isAbbreviationOrOrdinal(text: string, from: number, end: number): boolean {
  const word = text.slice(from, end)
  if (ABBREVIATION.test(word)) return true
  return ORDINAL_NUMBER.test(word) && AFTER_ORDINAL_NUMBER.test(text.slice(end, end + 5))
}

export function isQuestion(sentence: string): boolean {
  return QUESTION_END.test(sentence.slice(-12))
}

/** True if a sentence is a question only because of a tag such as "right?" or "okay?". */
export function endsWithTagQuestion(sentence: string): boolean {
  return TAG_QUESTION.test(sentence.slice(-40).replaceAll('’', "'"))
}

/** The last question in a text that asks for an answer, and the number of words after it. */
export function findLastQuestionAndWordsAfter(
  text: string,
  minWords: number,
): { text: string; wordsAfter: number } | null {
  if (!/[?？؟]/u.test(text)) return null
  const sentences = splitSentences(text)
  let wordsAfter = 0
  for (const sentence of sentences.toReversed()) {
    const words = countWords(sentence)
    if (words >= minWords && isQuestion(sentence) && !endsWithTagQuestion(sentence)) {
      return { text: sentence, wordsAfter }
    }
    wordsAfter += words
  }
  return null
}

function isBlank(character: string): boolean {
  return character === ' ' || /\s/u.test(character)
}
