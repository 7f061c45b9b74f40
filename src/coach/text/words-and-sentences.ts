/** A punctuation mark that may end a sentence, with closing quotes and brackets after it. */
const SENTENCE_END = /[.!?…؟。！？｡][.!?…؟。！？｡"'”’»)\]」』）]*/gu
/** Full-width marks, which end a sentence without a following space. */
const FULL_WIDTH = /^[。！？｡]/u
const QUESTION_END = /[?？؟][!?？؟"'”’»)\]」』）]{0,8}$/u

/** Abbreviations, whose full stop does not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|vs|e\.g|i\.e|approx)\.$/i

/** An ordinal number like "20." in some languages, and what follows it: "bis zum 20. ändern", "am 31. Oktober". */
const ORDINAL_NUMBER = /(?:^|\s)\d{1,2}\.$/
const AFTER_ORDINAL_NUMBER = /^ (?:\p{Ll}|Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)/u

/** A tag such as "right?" that turns a statement into a question without asking for an answer. */
const TAG_QUESTION =
  /(?:^|[\s,])(?:right|ok|okay|yes|yeah|no|huh|eh|you know|you see|know what i mean|isn't it|aren't we|don't we|don't you think)\?+["'”’)]?$/i

type Range = readonly [from: number, to: number]

/** Scripts without spaces between words in which a character is half a spoken word. */
const HALF_WORDS: readonly Range[] = [
  [0x3040, 0x30ff],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  // High surrogates of rare Han characters. The low surrogates are not counted.
  [0xd840, 0xd88d],
  [0xf900, 0xfaff],
  [0xff66, 0xff9d],
]
/** Scripts without spaces between words in which a character is a quarter of a spoken word. */
const QUARTER_WORDS: readonly Range[] = [
  [0x0e01, 0x0eff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
]

/** Punctuation, symbols, emoji and private use characters, which do not start a word. */
const UNSPOKEN: readonly Range[] = [
  [0x80, 0xa9],
  [0xab, 0xb4],
  [0xb6, 0xb9],
  [0xbb, 0xbf],
  [0x2000, 0x2bff],
  [0x2e00, 0x303f],
  [0xd800, 0xf8ff],
  [0xfe00, 0xfe6f],
  [0xfeff, 0xff0f],
  [0xff1a, 0xff20],
  [0xfff0, 0xffff],
]

/** English filler sounds and filler phrases. */
const FILLER =
  /\b(?:u+[hm]+|e+r+m*|hmm+|you know|i mean|(?<!(?:what|this|that|some|any|every|other|the|a|one) )(?:kind|sort) of)\b|, like,/gi
/** Words after "you know" or "I mean" that make the phrase part of the sentence and not a filler. */
const CONTENT_FOLLOWS =
  /^(?: what| how| why| who| where| when| that| the| if| whether| it| him| her| them)\b/i

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

/** Estimates the number of spoken words in one pass, accurately enough for shares and rates. */
export function countWords(text: string): number {
  let words = 0
  let unspaced = 0
  let isWithin = false
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    const share = code < 0x0e01 ? 0 : shareOf(code)
    unspaced += share
    if (share > 0 || isSpace(code)) isWithin = false
    else if (!isWithin && isSpoken(code)) {
      words += 1
      isWithin = true
    }
  }
  return words + Math.ceil(unspaced)
}

function shareOf(code: number): number {
  if (isIn(HALF_WORDS, code)) return 0.5
  return isIn(QUARTER_WORDS, code) ? 0.25 : 0
}

function isSpace(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200a)
}

function isSpoken(code: number): boolean {
  if (code >= 0x80) return !isIn(UNSPOKEN, code)
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

function isIn(ranges: readonly Range[], code: number): boolean {
  for (const [from, to] of ranges) if (code >= from && code <= to) return true
  return false
}

export function countFillers(text: string): number {
  let fillers = 0
  for (const { 0: found, index } of text.matchAll(FILLER)) {
    const isPhrase = found.length > 5 && /^[yi]/i.test(found)
    const after = index + found.length
    if (!isPhrase || !CONTENT_FOLLOWS.test(text.slice(after, after + 10))) fillers += 1
  }
  return fillers
}
