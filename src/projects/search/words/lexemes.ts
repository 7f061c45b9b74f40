import type { SearchToken } from './tokenize.ts'
import { listWordParts } from './word-parts.ts'

/** What the index stores for one token of a text. A search matches any of these. */
export type TokenLexemes = {
  /** The word itself, or two adjacent characters of a script without spaces. */
  word: string
  /** A hyphenated word without its hyphens, at its first and its last token: `email` for `e-mail`. */
  joined: string | null
  /** Parts of the word, which rank below whole words. */
  parts: readonly string[]
}

const HYPHEN = /^[-\u00ad\u2010\u2011]$/
const MAX_JOINED_TOKENS = 4
const MAX_JOINED_LENGTH = 40
const LETTER = /\p{L}/u

/** The lexemes of each token of a text. */
export function listLexemes(
  text: string,
  tokens: readonly SearchToken[],
  isCompounding: boolean,
): TokenLexemes[] {
  const joined = new Map<number, string>()
  for (const { firstTokenIndex, lastTokenIndex, word } of listHyphenatedWords(text, tokens)) {
    joined.set(firstTokenIndex, word)
    joined.set(lastTokenIndex, word)
  }
  return tokens.map((token, i) =>
    token.isUnspaced
      ? { word: toCharacterPair(token, tokens[i + 1]), joined: null, parts: [] }
      : {
          word: token.word,
          joined: joined.get(i) ?? null,
          parts: listWordParts(token.word, isCompounding),
        },
  )
}

/** Whether a token is directly followed by another character of a script without spaces. */
export function startsUnspacedPair(
  token: SearchToken,
  next: SearchToken | undefined,
): next is SearchToken {
  return token.isUnspaced && next?.isUnspaced === true && next.start === token.end
}

function toCharacterPair(token: SearchToken, next: SearchToken | undefined): string {
  return startsUnspacedPair(token, next) ? `${token.word}${next.word}` : token.word
}

export type HyphenatedWord = { firstTokenIndex: number; lastTokenIndex: number; word: string }

/** The words of a text whose tokens are joined by hyphens, as indexes of tokens. Numbers such as dates are left out. */
export function listHyphenatedWords(
  text: string,
  tokens: readonly SearchToken[],
): HyphenatedWord[] {
  const found: HyphenatedWord[] = []
  for (let first = 0; first < tokens.length; first += 1) {
    let last = first
    let word = tokens[first]?.word ?? ''
    while (isHyphenBetween(text, tokens[last], tokens[last + 1])) {
      last += 1
      word += tokens[last]?.word ?? ''
    }
    const isWord = last > first && last - first < MAX_JOINED_TOKENS
    if (isWord && word.length <= MAX_JOINED_LENGTH && LETTER.test(word))
      found.push({ firstTokenIndex: first, lastTokenIndex: last, word })
    first = last
  }
  return found
}

function isHyphenBetween(
  text: string,
  token: SearchToken | undefined,
  next: SearchToken | undefined,
): boolean {
  if (token === undefined || next === undefined || token.isUnspaced || next.isUnspaced) return false
  return next.start - token.end === 1 && HYPHEN.test(text.slice(token.end, next.start))
}
