import { scoreEmittedWordsMatch, extractWordKeys, splitWords } from '../../../lib/text/words.ts'

/** What the wire (the platform's network messages) has published of one utterance. */
export type WireUtterance = {
  captionId: string
  channel?: string
  speaker: string
  text: string
  version: number
  isFinal: boolean
  /** True if the utterance waits for its speaker's name and is not published yet. */
  isHeld: boolean
  at: number
  /** The words of every version, because the page may show an older version. */
  wordsOfAllVersions: ReadonlySet<string>
  /** When the page first showed words of the utterance. Equal words much later belong to another utterance. */
  shownAt: number | null
  /** Other data channels that have delivered a copy of the utterance under another id. */
  copiedOn: Set<string>
}

/** How many of the last words of one text are searched for in another. */
const TAIL_WORDS = 12
/** How much of a row's end is compared. Corrections and new words are at the end. */
const WINDOW_CHARS = 1_200
/** A text is found if its average score per word is at least this. An equal word scores two. */
const MIN_MATCH_SCORE = 1.2

/** If this many of a page row's last words are found in the wire's text, the row is published up to there. */
const LAST_WORDS = 3

/** How many words of `text` the row shows if the row ends inside `text`; null if it does not. */
function countShownWords(text: string, rowText: string): number | null {
  const last = extractWordKeys(rowText.slice(-WINDOW_CHARS)).slice(-LAST_WORDS)
  const { matchedCount, score, isComplete } = scoreEmittedWordsMatch(last, splitWords(text), true)
  return isComplete && score >= last.length * MIN_MATCH_SCORE ? matchedCount : null
}

/**
 * Selects the utterances with a version that contains a row's last word; null for a row without words. One word is
 * enough, because the wire may have left out the words before it.
 */
export function findUtterancesContainingLastRowWord(
  rowText: string,
  utterances: readonly WireUtterance[],
): WireUtterance[] | null {
  const last = extractWordKeys(rowText.slice(-WINDOW_CHARS)).at(-1)
  return last === undefined
    ? null
    : utterances.filter(({ wordsOfAllVersions }) => wordsOfAllVersions.has(last))
}

/**
 * Where `text` ends in the row, in words and characters, and how many of its words the row shows; null if the row does
 * not contain it. Either text may continue further than the other.
 */
export function findTextEndInRow(
  text: string,
  rowText: string,
): { words: number; chars: number; shown: number } | null {
  const shown = countShownWords(text, rowText)
  if (shown !== null) return { words: countCaptionWords(rowText), chars: rowText.length, shown }
  const tail = extractWordKeys(text.slice(-WINDOW_CHARS)).slice(-TAIL_WORDS)
  const from = Math.max(0, rowText.length - WINDOW_CHARS - text.length)
  const words = splitWords(rowText.slice(from))
  const { matchedCount, score } = scoreEmittedWordsMatch(tail, words, true)
  if (matchedCount === 0 || score < Math.max(1, tail.length * MIN_MATCH_SCORE)) return null
  const before = from === 0 ? 0 : countCaptionWords(rowText.slice(0, from))
  return {
    words: before + matchedCount,
    chars: from + (words[matchedCount - 1]?.end ?? 0),
    shown: countCaptionWords(text),
  }
}

/** The character offset at which the given number of words ends. */
export function charOffsetAfterWords(rowText: string, wordCount: number): number {
  return wordCount <= 0 ? 0 : (splitWords(rowText)[wordCount - 1]?.end ?? rowText.length)
}

export function countCaptionWords(text: string): number {
  return splitWords(text).length
}

/** True if the first words of two texts are equal, up to the end of the shorter text and at most 12 words. */
export function haveSameBeginning(a: string, b: string): boolean {
  const [one, other] = [
    extractWordKeys(a.slice(0, 200)).slice(0, 12),
    extractWordKeys(b.slice(0, 200)).slice(0, 12),
  ]
  const shorter = Math.min(one.length, other.length)
  return shorter > 0 && one.slice(0, shorter).every((word, i) => word === other[i])
}

/** True if one text may be a correction of the other. Corrections start at the end, so the first word is equal. */
export function haveSameFirstWord(a: string, b: string): boolean {
  const [first] = extractWordKeys(a.slice(0, 100))
  return first !== undefined && first === extractWordKeys(b.slice(0, 100))[0]
}

/** How many words of a text's beginning are compared to find the row that shows it. */
const NAMING_WORDS = 6

/**
 * True if a row shows the beginning of a text: at least `minWords` words, or all words of a shorter text. The row may
 * show other words before it, and may not show all of it yet.
 */
export function isBeginningShown(text: string, rowText: string, minWords: number): boolean {
  const words = extractWordKeys(text.slice(0, 200)).slice(0, NAMING_WORDS)
  const shown = extractWordKeys(rowText.slice(-WINDOW_CHARS))
  const needed = Math.min(minWords, words.length)
  return (
    needed > 0 &&
    shown.some((_, from) => {
      const compared = Math.min(words.length, shown.length - from)
      return (
        compared >= needed && words.slice(0, compared).every((word, i) => word === shown[from + i])
      )
    })
  )
}

/** True if two names may belong to the same person. Additions in brackets, such as "(Guest)", are ignored. */
export function mayBeSameSpeaker(a: string, b: string): boolean {
  const [one, other] = [a, b].map((name) =>
    name
      .replace(/\s*\([^()]*\)\s*$/, '')
      .trim()
      .toLowerCase(),
  )
  return one === '' || other === '' || one === other
}

/** Two channels deliver the same utterance at most this far apart. */
const DUPLICATE_MS = 1_500
const DUPLICATE_VERSIONS = 2

/** If two channels carry the same utterance, keeps only the higher version, or the first of equal versions. */
export function removeDuplicateUtterances(utterances: readonly WireUtterance[]): WireUtterance[] {
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
