/** A word of a text. `key` is the word in lower case without punctuation, `end` is the position after it. */
export type TextWord = { key: string; end: number }

/** The scripts that are written without spaces between words, for use in a character class. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
/** Every character of these scripts is treated as a word. */
const WORD = new RegExp(`[${UNSPACED}]\\p{M}*|[^\\s${UNSPACED}]+`, 'gu')
/** A character of a script that is written without spaces between words. */
export const UNSPACED_CHARACTER = new RegExp(`[${UNSPACED}]`, 'u')
const UNSPACED_WITH_MARKS = new RegExp(`[${UNSPACED}]\\p{M}*`, 'gu')
const NOT_SPOKEN = /[^\p{L}\p{N}\p{M}\p{S}]+/gu

/** Patterns for ASCII text, which are ten times as fast as those for all scripts. */
const PLAIN = /^[\t\n\r -~]*$/
const PLAIN_SPACE = /[\t\n\r ]/
const PLAIN_NOT_SPOKEN = /[^A-Za-z0-9$+<=>^`|~]+/g

type EmittedWordsMatch = {
  /** How many words of the shown text match words that were already emitted, even if spelt differently. */
  matchedCount: number
  /** Quality of the match: at most twice the number of emitted words. 0 or less if nothing matches. */
  score: number
  /** True if the last emitted word is the last matched word, so no emitted word is missing at the end of the match. */
  isComplete: boolean
}

const POINTS = { same: 2, similar: 1, other: -1, missing: -1, extra: -1 }

type Cell = { score: number; isComplete: boolean }

const OUTSIDE: Cell = { score: Number.NEGATIVE_INFINITY, isComplete: false }

/** A sentence terminator of any script, with closing quotes and brackets, at the end of a text. */
const SENTENCE_END_AT_END = /[.!?…؟。！？｡]["'”’»)\]）」』]*\s*$/u

/** Approximate number of tokens for each UTF-16 code unit below the given code. */
const TOKENS_PER_CHARACTER: ReadonlyArray<{ below: number; tokens: number }> = [
  { below: 0x80, tokens: 0.25 },
  // Latin letters with accents, Greek, Cyrillic, Hebrew, Arabic and the scripts of India.
  { below: 0x2e80, tokens: 0.5 },
  // Chinese, Japanese, Korean, and everything that needs two code units.
  { below: Infinity, tokens: 1 },
]

export function splitWords(text: string): TextWord[] {
  const words: TextWord[] = []
  if (PLAIN.test(text)) {
    let end = -1
    for (const word of text.split(PLAIN_SPACE)) {
      end += 1 + word.length
      const key = word.toLowerCase().replace(PLAIN_NOT_SPOKEN, '')
      if (key !== '') words.push({ key, end })
    }
    return words
  }
  for (const match of text.matchAll(WORD)) {
    const key = match[0].normalize('NFKC').toLowerCase().replace(NOT_SPOKEN, '')
    if (key !== '') words.push({ key, end: match.index + match[0].length })
  }
  return words
}

/** Puts spaces around every character of a script that is written without spaces. */
export function separateUnspacedCharacters(text: string): string {
  return text.replace(UNSPACED_WITH_MARKS, ' $& ')
}

export function extractWordKeys(text: string): string[] {
  return splitWords(text).map(({ key }) => key)
}

/** True if cutting the text at position `at` would split a word. */
export function isPositionInsideWord(text: string, at: number): boolean {
  const [before, after] = [text.charAt(at - 1), text.charAt(at)]
  return isLetter(before) && isLetter(after) && !UNSPACED_CHARACTER.test(after)
}

/** True if one word may correct the other: one begins with the other, or at least half of the letters agree. */
export function isSimilarWord(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.startsWith(short)) return true
  let shared = 0
  while (shared < short.length && short[shared] === long[shared]) shared += 1
  return shared * 2 >= long.length
}

/** True if `whole` begins with `words`. The last word of `words` may be incomplete. */
export function isPrefixAllowingPartialLastWord(
  words: readonly string[],
  whole: readonly string[],
): boolean {
  const last = words.length - 1
  return words.every((word, i) =>
    i === last ? (whole[i] ?? '').startsWith(word) : whole[i] === word,
  )
}

function isLetter(character: string): boolean {
  return /[\p{L}\p{N}\p{M}]/u.test(character)
}

/**
 * Finds where the already emitted words end in the shown text, which may have lost its beginning. `isCut`: the shown
 * text is the later part of a longer one. An emitted word that is now recognised differently must not be emitted again,
 * because the earlier word is final.
 */
export function scoreEmittedWordsMatch(
  emitted: readonly string[],
  shown: readonly TextWord[],
  isCut: boolean,
): EmittedWordsMatch {
  const first = Array.from({ length: shown.length + 1 }, (_, skipped) => ({
    score: isCut ? 0 : skipped * POINTS.extra,
    isComplete: false,
  }))
  const rows: Cell[][] = [first]
  for (let row = 1; row <= emitted.length; row += 1) {
    const cells: Cell[] = [{ score: 0, isComplete: false }]
    rows.push(cells)
    for (let i = 1; i <= shown.length; i += 1) cells.push(bestStep(emitted, shown, rows, row, i))
  }
  return bestEnd(rows.at(-1) ?? first)
}

function bestStep(
  emitted: readonly string[],
  shown: readonly TextWord[],
  rows: Cell[][],
  row: number,
  i: number,
): Cell {
  const before = (emittedBack: number, shownBack: number): Cell =>
    rows[row - emittedBack]?.[i - shownBack] ?? OUTSIDE
  const word = emitted[row - 1] ?? ''
  const shownKey = shown[i - 1]?.key ?? ''
  let best: Cell = { score: before(1, 1).score + pointsFor(word, shownKey), isComplete: true }
  const offer = (score: number, isComplete: boolean): void => {
    if (score > best.score) best = { score, isComplete }
  }
  offer(before(1, 0).score + POINTS.missing, false)
  offer(before(0, 1).score + POINTS.extra, false)
  // Treats "everyone" and "every one" as the same.
  if (word === `${shown[i - 2]?.key}${shownKey}`) offer(before(1, 2).score + POINTS.same, true)
  if (shownKey === `${emitted[row - 2]}${word}`) offer(before(2, 1).score + 2 * POINTS.same, true)
  return best
}

function pointsFor(emitted: string, shownKey: string): number {
  if (emitted === shownKey) return POINTS.same
  return isSimilarWord(emitted, shownKey) ? POINTS.similar : POINTS.other
}

/** Chooses the later of equally good ends, because skipping a corrected word is better than emitting a word twice. */
function bestEnd(cells: Cell[]): EmittedWordsMatch {
  let taken = 0
  for (const [i, cell] of cells.entries()) {
    if (cell.score >= (cells[taken]?.score ?? 0)) taken = i
  }
  return { matchedCount: taken, ...(cells[taken] ?? OUTSIDE) }
}

/** True if the last sentence of a text is complete. */
export function endsLikeSentence(text: string): boolean {
  return SENTENCE_END_AT_END.test(text.slice(-20))
}

/** Roughly estimates a language model's token count of a text. It is not rounded, so it can be summed. */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    tokens += TOKENS_PER_CHARACTER.find(({ below }) => code < below)?.tokens ?? 1
  }
  return tokens
}
