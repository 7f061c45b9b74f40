import { canMatchAsPrefix, type SpellingCorrections, type SearchTerm } from './query.ts'
import { tokenize, type SearchToken } from './tokenize.ts'

/** A match in a text, as string indexes for `text.slice(start, end)`. */
export type SearchMatch = { start: number; end: number }

const MAX_MATCHES = 100

/** The words of a text that match the search terms. */
export function findMatchingWordPositions(
  text: string,
  terms: readonly SearchTerm[],
  corrections: SpellingCorrections,
): SearchMatch[] {
  const tokens = tokenize(text)
  const matching = new Set<SearchToken>()
  for (const term of terms) {
    for (let i = 0; i + term.words.length <= tokens.length; i += 1) {
      if (!isTermAt(tokens, i, term, corrections)) continue
      for (const token of tokens.slice(i, i + term.words.length)) matching.add(token)
    }
  }
  return tokens
    .filter((token) => matching.has(token))
    .slice(0, MAX_MATCHES)
    .map(({ start, end }) => ({ start, end }))
}

function isTermAt(
  tokens: readonly SearchToken[],
  from: number,
  { words, isExact }: SearchTerm,
  corrections: SpellingCorrections,
): boolean {
  return words.every((word, i) => {
    const found = tokens[from + i]?.word ?? ''
    if (found === word) return true
    const isLast = i === words.length - 1
    if (!isExact && isLast && canMatchAsPrefix(word) && found.startsWith(word)) return true
    return words.length === 1 && (corrections.get(word) ?? []).includes(found)
  })
}
