import { alignWords } from '../../../lib/text/align-words.ts'
import { wordKeys, splitWords } from '../../../lib/text/split-words.ts'

/** An utterance as the wire has told it. */
export type WireUtterance = {
  captionId: string
  speaker: string
  text: string
  version: number
  isFinal: boolean
  at: number
  /** Every word of every version: a page may show one that has been rewritten since. */
  wordsOfAllVersions: ReadonlySet<string>
  /** When the page first showed words of it; the same words much later are others. */
  shownAt: number | null
}

/** So many last words of one text are looked for in another. */
const TAIL_WORDS = 12
/** Words of a row that are looked at: rewrites and new words are at its end. */
const WINDOW_CHARS = 1_200
/** Points for each word (two for the same one) from which on a text has been found. */
const MIN_MATCH_SCORE = 1.2

/** So many last words must be found for the rest to count as told with them. */
const LAST_WORDS = 3

/** How many words of `text` the row shows when it ends within it; null when it does not. */
function countShownWords(text: string, rowText: string): number | null {
  const last = wordKeys(rowText.slice(-WINDOW_CHARS)).slice(-LAST_WORDS)
  const { matchedCount, score, isComplete } = alignWords(last, splitWords(text), true)
  return isComplete && score >= last.length * MIN_MATCH_SCORE ? matchedCount : null
}

/**
 * Those of what the wire told about then that have the end of a row: its last word in any version. One word is
 * enough, as those before it may be what the wire left out. Null for a row without words.
 */
export function findCoveringUtterances(
  rowText: string,
  utterances: readonly WireUtterance[],
): WireUtterance[] | null {
  const last = wordKeys(rowText.slice(-WINDOW_CHARS)).at(-1)
  return last === undefined
    ? null
    : utterances.filter(({ wordsOfAllVersions }) => wordsOfAllVersions.has(last))
}

/**
 * Up to where the row shows `text`, in words and characters, and how many words of it; null when it is not in
 * it. Either may be further than the other.
 */
export function findTextEnd(
  text: string,
  rowText: string,
): { words: number; chars: number; shown: number } | null {
  const shown = countShownWords(text, rowText)
  if (shown !== null) return { words: wordCount(rowText), chars: rowText.length, shown }
  const tail = wordKeys(text.slice(-WINDOW_CHARS)).slice(-TAIL_WORDS)
  const from = Math.max(0, rowText.length - WINDOW_CHARS - text.length)
  const words = splitWords(rowText.slice(from))
  const { matchedCount, score } = alignWords(tail, words, true)
  if (matchedCount === 0 || score < Math.max(1, tail.length * MIN_MATCH_SCORE)) return null
  const before = from === 0 ? 0 : wordCount(rowText.slice(0, from))
  return {
    words: before + matchedCount,
    chars: from + (words[matchedCount - 1]?.end ?? 0),
    shown: wordCount(text),
  }
}

/** Where the given number of words ends. */
export function charOffsetAfterWords(rowText: string, words: number): number {
  return words <= 0 ? 0 : (splitWords(rowText)[words - 1]?.end ?? rowText.length)
}

export function wordCount(text: string): number {
  return splitWords(text).length
}

/** Whether one text is how the other begins, as far as both go. */
export function haveSameBeginning(a: string, b: string): boolean {
  const [one, other] = [
    wordKeys(a.slice(0, 200)).slice(0, 12),
    wordKeys(b.slice(0, 200)).slice(0, 12),
  ]
  const shorter = Math.min(one.length, other.length)
  return shorter > 0 && one.slice(0, shorter).every((word, i) => word === other[i])
}

/** Whether a text may be another in other words: these are put right from the end, so that the first one stands. */
export function isReworded(a: string, b: string): boolean {
  const [first] = wordKeys(a.slice(0, 100))
  return first !== undefined && first === wordKeys(b.slice(0, 100))[0]
}

/** The same person, as far as names say; what platforms add to a name in brackets does not count. */
export function mayBeSameSpeaker(a: string, b: string): boolean {
  const [one, other] = [a, b].map((name) =>
    name
      .replace(/\s*\([^()]*\)\s*$/, '')
      .trim()
      .toLowerCase(),
  )
  return one === '' || other === '' || one === other
}

/** Channels that carry the same are a moment apart, and a version or two. */
const DUPLICATE_MS = 1_500
const DUPLICATE_VERSIONS = 2

/** Of utterances that two channels carry at once, the one that is further. */
export function withoutDuplicates(utterances: readonly WireUtterance[]): WireUtterance[] {
  return utterances.filter(
    (one, i) =>
      !utterances.some(
        (other, j) => i !== j && areDuplicates(one, other) && isFurther(other, one, j < i),
      ),
  )
}

function areDuplicates(a: WireUtterance, b: WireUtterance): boolean {
  const isNear =
    Math.abs(a.at - b.at) <= DUPLICATE_MS && Math.abs(a.version - b.version) <= DUPLICATE_VERSIONS
  return isNear && haveSameBeginning(a.text, b.text)
}

function isFurther(one: WireUtterance, other: WireUtterance, isFirst: boolean): boolean {
  return one.version > other.version || (one.version === other.version && isFirst)
}
