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
}

/** So many last words of one text are looked for in another. */
const TAIL_WORDS = 12
/** Words of a row that are looked at: rewrites and new words are at its end. */
const WINDOW_CHARS = 1_200
/** Points for each word (two for the same one) from which on a text has been found. */
const FOUND_POINTS = 1.2

/** Whether the last words of a row are among what the wire told lately. */
export function isCovered(rowText: string, told: readonly Utterance[]): boolean {
  const tail = keysOf(rowText.slice(-WINDOW_CHARS)).slice(-TAIL_WORDS)
  if (tail.length === 0) return true
  const words = wordsOf(told.map(({ text }) => text).join(' '))
  const { score, isComplete } = align(tail, words, true)
  return isComplete && score >= tail.length * FOUND_POINTS
}

/** Where `text` ends in the text of a row, in words and characters; null when it is not in it. */
export function endOf(text: string, rowText: string): { words: number; chars: number } | null {
  const tail = keysOf(text.slice(-WINDOW_CHARS)).slice(-TAIL_WORDS)
  const from = Math.max(0, rowText.length - WINDOW_CHARS - text.length)
  const shown = wordsOf(rowText.slice(from))
  const { taken, score } = align(tail, shown, true)
  if (taken === 0 || score < Math.max(1, tail.length * FOUND_POINTS)) return null
  const before = from === 0 ? 0 : wordsOf(rowText.slice(0, from)).length
  return { words: before + taken, chars: from + (shown[taken - 1]?.end ?? 0) }
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
