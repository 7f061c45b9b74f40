import { separateUnspacedCharacters, UNSPACED_CHARACTER } from '../../lib/text/words.ts'
import type { RecapSegment } from '../recap.ts'

/** A quotation of fewer words proves little, unless the segments have no more. */
const MIN_QUOTED_WORDS = 3
/** In a script without spaces, about this many characters form a word. */
const UNSPACED_CHARACTERS_PER_WORD = 2

/** Words are equal if their first letters are, so that different endings do not matter. */
const WORD_START_LENGTH = 5
/** Shorter words are mostly articles. They are used only if there are no others, as in "API". */
const MIN_WORD_LENGTH = 4

/** Checks if a model's quotations are in the segments that it cites. */
export function createQuotationChecker(segments: readonly RecapSegment[]) {
  const byNumber = new Map(segments.map((segment) => [segment.number, segment]))
  // Cached, because an answer may cite each segment hundreds of times.
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
    /** Returns the cited segments, in increasing order, if they contain the quotation; otherwise null. */
    findCited(segmentNumbers: readonly number[], quote: string): RecapSegment[] | null {
      const numbers = [...new Set(segmentNumbers)].toSorted((a, b) => a - b)
      const cited = numbers.flatMap((number) => byNumber.get(number) ?? [])
      if (cited.length === 0 || cited.length < numbers.length) return null
      const quoted = normalizeQuotation(quote)
      const saidCount = cited.reduce((sum, segment) => sum + readSaid(segment).count, 0)
      const minWords = Math.min(MIN_QUOTED_WORDS, saidCount)
      return countWords(quoted) >= minWords && hasWords(wordsOf(cited), quoted) ? cited : null
    },
    /** True if the text of these segments contains the words. */
    isSaidIn: (cited: readonly RecapSegment[], words: string) =>
      hasWords(wordsOf(cited), normalizeQuotation(words)),
  }
}

export type QuotationChecker = ReturnType<typeof createQuotationChecker>

/**
 * True if one of the words, or a similar form of it, was said in these segments. In a script without spaces, two
 * neighbouring characters are treated as a word.
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

/** Like `normalizeWords`, but in scripts without spaces each character is a word, so that any part can be quoted. */
function normalizeQuotation(text: string): string {
  return separateUnspacedCharacters(normalizeWords(text)).replace(/ +/g, ' ').trim()
}

/** Words in lower case without punctuation, separated by single spaces. */
function normalizeWords(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}
