import { separateUnspacedCharacters, UNSPACED_CHARACTER } from '../../lib/text/split-words.ts'
import type { RecapSegment } from '../recap.ts'

/** Checks whether quotations of a model are in the segments that it cites. */
export interface QuotationChecker {
  /** The cited segments, in increasing order, if the quotation is in them; null if it is not. */
  findCited(segmentNumbers: readonly number[], quote: string): RecapSegment[] | null
  /** Whether the words are in the text of these segments. */
  isSaidIn(segments: readonly RecapSegment[], words: string): boolean
}

/** A quotation of fewer words proves little, unless the segments have no more. */
const MIN_QUOTED_WORDS = 3
/** In a script without spaces, about so many characters are a word. */
const UNSPACED_CHARACTERS_PER_WORD = 2

export function createQuotationChecker(segments: readonly RecapSegment[]): QuotationChecker {
  const byNumber = new Map(segments.map((segment) => [segment.number, segment]))
  // An answer may cite each segment hundreds of times.
  const saidIn = new Map<RecapSegment, { words: string; count: number }>()
  const readSaid = (segment: RecapSegment) => {
    const known = saidIn.get(segment)
    if (known !== undefined) return known
    const words = normalizeQuotation(segment.text)
    const said = { words, count: countWords(words) }
    saidIn.set(segment, said)
    return said
  }
  const wordsOf = (cited: readonly RecapSegment[]) =>
    cited
      .map((segment) => readSaid(segment).words)
      .filter((words) => words !== '')
      .join(' ')
  return {
    findCited(segmentNumbers, quote) {
      const numbers = [...new Set(segmentNumbers)].toSorted((a, b) => a - b)
      const cited = numbers.flatMap((number) => byNumber.get(number) ?? [])
      if (cited.length === 0 || cited.length < numbers.length) return null
      const quoted = normalizeQuotation(quote)
      const saidCount = cited.reduce((sum, segment) => sum + readSaid(segment).count, 0)
      const minWords = Math.min(MIN_QUOTED_WORDS, saidCount)
      return countWords(quoted) >= minWords && hasWords(wordsOf(cited), quoted) ? cited : null
    },
    isSaidIn: (cited, words) => hasWords(wordsOf(cited), normalizeQuotation(words)),
  }
}

/** Words count as equal by their first letters, so that other endings do not matter. */
const WORD_START_LENGTH = 5
/** Shorter words are mostly articles. They count only if there are no others, as in "API". */
const MIN_WORD_LENGTH = 4

/**
 * Whether one of the words was said in these segments, in this or a similar form. In a script without spaces, two
 * neighbouring characters count as a word.
 */
export function isAnyWordSaid(words: string, segments: readonly RecapSegment[]): boolean {
  const all = normalizeWords(words)
    .split(' ')
    .filter((word) => word.length > 1)
  const long = all.filter((word) => word.length >= MIN_WORD_LENGTH || UNSPACED_CHARACTER.test(word))
  const starts = (long.length > 0 ? long : all).flatMap((word) =>
    UNSPACED_CHARACTER.test(word)
      ? Array.from(word, (_, i) => word.slice(i, i + 2)).slice(0, -1)
      : [` ${word.slice(0, WORD_START_LENGTH)}`],
  )
  return segments.some(({ text }) => {
    const said = ` ${normalizeWords(text)}`
    return starts.some((start) => said.includes(start))
  })
}

function hasWords(text: string, words: string): boolean {
  return words !== '' && ` ${text} `.includes(` ${words} `)
}

function countWords(normalized: string): number {
  if (normalized === '') return 0
  const words = normalized.split(' ')
  const unspaced = words.filter((word) => UNSPACED_CHARACTER.test(word)).length
  return words.length - unspaced + unspaced / UNSPACED_CHARACTERS_PER_WORD
}

/** Like `normalizeWords`, with each character of a script without spaces as a word, so that any part can be quoted. */
function normalizeQuotation(text: string): string {
  return separateUnspacedCharacters(normalizeWords(text)).replace(/ +/g, ' ').trim()
}

/** Words in lower case, without punctuation, with one space between them. */
function normalizeWords(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}
