import {
  listPhrases,
  type SearchPhrase,
  type SearchTerm,
  type SpellingCorrections,
} from './query.ts'
import type { QueryWord } from './query-words.ts'
import { isInCompoundingLanguage } from './words/compound-words.ts'
import { listLexemes, type TokenLexemes } from './words/lexemes.ts'
import { tokenize, type SearchToken } from './words/tokenize.ts'

/** A match in a text, as string indexes for `text.slice(start, end)`. */
export type SearchMatch = { start: number; end: number }

const MAX_MATCHES = 100

/** The words of a text that match the search terms. Matching characters without a space between them are one match. */
export function findMatchingWordPositions(
  text: string,
  terms: readonly SearchTerm[],
  corrections: SpellingCorrections,
): SearchMatch[] {
  const tokens = tokenize(text)
  const isCompounding = isInCompoundingLanguage(tokens)
  const lexemes = listLexemes(text, tokens, isCompounding)
  const matching = new Set<number>()
  for (const term of terms) {
    const phrases = listPhrases(term, corrections)
    const found = findPhrases(lexemes, phrases)
    // The index knows the language of the whole document, of which this text may show no sign.
    const isAnyFound = found.length > 0 || isCompounding
    const matches = isAnyFound ? found : findPhrases(listLexemes(text, tokens, true), phrases)
    for (const index of matches) matching.add(index)
  }
  return mergeAdjacent(tokens.filter((_, i) => matching.has(i))).slice(0, MAX_MATCHES)
}

/** The indexes of all tokens that belong to a match of one of the phrases. */
function findPhrases(lexemes: readonly TokenLexemes[], phrases: readonly SearchPhrase[]): number[] {
  const found: number[] = []
  for (const phrase of phrases) {
    for (let start = 0; start < lexemes.length; start += 1) {
      if (!phrase.every(({ words, offset }) => isAnyAt(lexemes[start + offset], words))) continue
      for (const { offset, width } of phrase)
        for (let i = 0; i < width; i += 1) found.push(start + offset + i)
    }
  }
  return found
}

function isAnyAt(lexemes: TokenLexemes | undefined, words: readonly QueryWord[]): boolean {
  if (lexemes === undefined) return false
  return words.some(({ word, isPrefix }) => {
    const isMatch = (lexeme: string) => (isPrefix ? lexeme.startsWith(word) : lexeme === word)
    const { joined, parts } = lexemes
    return isMatch(lexemes.word) || (joined !== null && isMatch(joined)) || parts.some(isMatch)
  })
}

function mergeAdjacent(tokens: readonly SearchToken[]): SearchMatch[] {
  const matches: SearchMatch[] = []
  for (const { start, end } of tokens) {
    const last = matches.at(-1)
    if (last?.end === start) last.end = end
    else matches.push({ start, end })
  }
  return matches
}
