import { align } from '../../lib/align.ts'
import { keysOf, wordsOf } from '../../lib/words.ts'

/** An utterance as the wire has told it. */
export type Utterance = {
  captionId: string
  speaker: string
  text: string
  version: number
  isFinal: boolean
  at: number
  /** Every word of every version: a page may show one that has been rewritten since. */
  heard: ReadonlySet<string>
  /** When the page first showed words of it; the same words much later are others. */
  shownAt: number | null
}

/** So many last words of one text are looked for in another. */
const TAIL_WORDS = 12
/** Words of a row that are looked at: rewrites and new words are at its end. */
const WINDOW_CHARS = 1_200
/** Points for each word (two for the same one) from which on a text has been found. */
const FOUND_POINTS = 1.2

/** So many last words must be found for the rest to count as told with them. */
const LAST_WORDS = 3

/** How many words of `text` the row shows when it ends within it; null when it does not. */
function shownOf(text: string, rowText: string): number | null {
  const last = keysOf(rowText.slice(-WINDOW_CHARS)).slice(-LAST_WORDS)
  const { taken, score, isComplete } = align(last, wordsOf(text), true)
  return isComplete && score >= last.length * FOUND_POINTS ? taken : null
}

/**
 * Those of what the wire told about then that have the end of a row: its last word in any version. One word is
 * enough, as those before it may be what the wire left out. Null for a row without words.
 */
export function coverOf(rowText: string, told: readonly Utterance[]): Utterance[] | null {
  const last = keysOf(rowText.slice(-WINDOW_CHARS)).at(-1)
  return last === undefined ? null : told.filter(({ heard }) => heard.has(last))
}

/**
 * Up to where the row shows `text`, in words and characters, and how many words of it; null when it is not in
 * it. Either may be further than the other.
 */
export function endOf(
  text: string,
  rowText: string,
): { words: number; chars: number; shown: number } | null {
  const shown = shownOf(text, rowText)
  if (shown !== null) return { words: wordCount(rowText), chars: rowText.length, shown }
  const tail = keysOf(text.slice(-WINDOW_CHARS)).slice(-TAIL_WORDS)
  const from = Math.max(0, rowText.length - WINDOW_CHARS - text.length)
  const words = wordsOf(rowText.slice(from))
  const { taken, score } = align(tail, words, true)
  if (taken === 0 || score < Math.max(1, tail.length * FOUND_POINTS)) return null
  const before = from === 0 ? 0 : wordCount(rowText.slice(0, from))
  return {
    words: before + taken,
    chars: from + (words[taken - 1]?.end ?? 0),
    shown: wordCount(text),
  }
}

/** Where the given number of words ends. */
export function charsOf(rowText: string, words: number): number {
  return words <= 0 ? 0 : (wordsOf(rowText)[words - 1]?.end ?? rowText.length)
}

export function wordCount(text: string): number {
  return wordsOf(text).length
}

/** Whether one text is how the other begins, as far as both go. */
export function beginAlike(a: string, b: string): boolean {
  const [one, other] = [keysOf(a.slice(0, 200)).slice(0, 12), keysOf(b.slice(0, 200)).slice(0, 12)]
  const shorter = Math.min(one.length, other.length)
  return shorter > 0 && one.slice(0, shorter).every((word, i) => word === other[i])
}

/** Whether a text may be another in other words: these are put right from the end, so that the first one stands. */
export function isReworded(a: string, b: string): boolean {
  const [first] = keysOf(a.slice(0, 100))
  return first !== undefined && first === keysOf(b.slice(0, 100))[0]
}

/** The same person, as far as names say; what platforms add to a name in brackets does not count. */
export function mayBeOne(a: string, b: string): boolean {
  const [one, other] = [a, b].map((name) =>
    name
      .replace(/\s*\([^()]*\)\s*$/, '')
      .trim()
      .toLowerCase(),
  )
  return one === '' || other === '' || one === other
}

/** Channels that carry the same are a moment apart, and a version or two. */
const TWIN_MS = 1_500
const TWIN_VERSIONS = 2

/** Of utterances that two channels carry at once, the one that is further. */
export function withoutTwins(told: readonly Utterance[]): Utterance[] {
  return told.filter(
    (one, i) =>
      !told.some((other, j) => i !== j && areTwins(one, other) && isFurther(other, one, j < i)),
  )
}

function areTwins(a: Utterance, b: Utterance): boolean {
  const isNear =
    Math.abs(a.at - b.at) <= TWIN_MS && Math.abs(a.version - b.version) <= TWIN_VERSIONS
  return isNear && beginAlike(a.text, b.text)
}

function isFurther(one: Utterance, other: Utterance, isFirst: boolean): boolean {
  return one.version > other.version || (one.version === other.version && isFirst)
}
