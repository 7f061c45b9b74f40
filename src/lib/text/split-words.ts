/** A word of a text. `key` is the word in lower case without punctuation, `end` the position after it in the text. */
export type TextWord = { key: string; end: number }

/** The scripts that are written without spaces between words, for the inside of a character class. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
/** Every character of these scripts counts as a word. */
const WORD = new RegExp(`[${UNSPACED}]\\p{M}*|[^\\s${UNSPACED}]+`, 'gu')
/** A character of a script that is written without spaces between words. */
export const UNSPACED_CHARACTER = new RegExp(`[${UNSPACED}]`, 'u')
const UNSPACED_WITH_MARKS = new RegExp(`[${UNSPACED}]\\p{M}*`, 'gu')
const NOT_SPOKEN = /[^\p{L}\p{N}\p{M}\p{S}]+/gu

/** Patterns for ASCII text; they are ten times as fast as those for all scripts. */
const PLAIN = /^[\t\n\r -~]*$/
const PLAIN_WORD = /[!-~]+/g
const PLAIN_NOT_SPOKEN = /[^A-Za-z0-9$+<=>^`|~]+/g

export function splitWords(text: string): TextWord[] {
  const words: TextWord[] = []
  if (PLAIN.test(text)) {
    for (const match of text.matchAll(PLAIN_WORD)) {
      const key = match[0].toLowerCase().replace(PLAIN_NOT_SPOKEN, '')
      if (key !== '') words.push({ key, end: match.index + match[0].length })
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

/** Whether position `at` is inside a word, so that cutting the text there would split the word. */
export function isPositionInsideWord(text: string, at: number): boolean {
  const [before, after] = [text.charAt(at - 1), text.charAt(at)]
  return isLetter(before) && isLetter(after) && !UNSPACED_CHARACTER.test(after)
}

/** Whether one word may be a correction of the other: one begins with the other, or at least half of the letters agree. */
export function isSimilarWord(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.startsWith(short)) return true
  let shared = 0
  while (shared < short.length && short[shared] === long[shared]) shared += 1
  return shared * 2 >= long.length
}

/** Whether `whole` begins with `words`, of which the last word may be incomplete. */
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
