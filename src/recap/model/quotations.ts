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

export function createQuotationChecker(segments: readonly RecapSegment[]): QuotationChecker {
  const byNumber = new Map(segments.map((segment) => [segment.number, segment]))
  const textOf = (cited: readonly RecapSegment[]) =>
    normalizeWords(cited.map(({ text }) => text).join(' '))
  return {
    findCited(segmentNumbers, quote) {
      const numbers = [...new Set(segmentNumbers)].toSorted((a, b) => a - b)
      const cited = numbers.flatMap((number) => byNumber.get(number) ?? [])
      if (cited.length === 0 || cited.length < numbers.length) return null
      const [text, quoted] = [textOf(cited), normalizeWords(quote)]
      const minWords = Math.min(MIN_QUOTED_WORDS, countWords(text))
      return countWords(quoted) >= minWords && hasWords(text, quoted) ? cited : null
    },
    isSaidIn: (cited, words) => hasWords(textOf(cited), normalizeWords(words)),
  }
}

/** Words count as equal by their first letters, so that other endings do not matter. */
const WORD_START_LENGTH = 5
/** Shorter words are mostly articles. They count only if there are no others, as in "API". */
const MIN_WORD_LENGTH = 4
/** Scripts without spaces between words. Two neighbouring characters count as a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Whether one of the words was said in these segments, in this or a similar form. */
export function isAnyWordSaid(words: string, segments: readonly RecapSegment[]): boolean {
  const all = normalizeWords(words)
    .split(' ')
    .filter((word) => word.length > 1)
  const long = all.filter((word) => word.length >= MIN_WORD_LENGTH || UNSPACED.test(word))
  const starts = (long.length > 0 ? long : all).flatMap((word) =>
    UNSPACED.test(word)
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
  return normalized === '' ? 0 : normalized.split(' ').length
}

/** Words in lower case, without punctuation, with one space between them. */
function normalizeWords(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}
