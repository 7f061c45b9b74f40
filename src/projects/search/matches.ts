import { canMatchAsPrefix, type SpellingCorrections, type SearchTerm } from './query.ts'
import { tokenize, type SearchToken } from './tokenize.ts'

/** A piece of a text, in units of JavaScript strings: `text.slice(start, end)`. */
export type SearchMatch = { start: number; end: number }

const MAX_MATCHES = 100

/** Where a text has what was looked for. */
export function findMatches(
  text: string,
  terms: readonly SearchTerm[],
  meant: SpellingCorrections,
): SearchMatch[] {
  const tokens = tokenize(text)
  const marked = new Set<SearchToken>()
  for (const term of terms) {
    for (let i = 0; i + term.words.length <= tokens.length; i += 1) {
      if (!isTermAt(tokens, i, term, meant)) continue
      for (const token of tokens.slice(i, i + term.words.length)) marked.add(token)
    }
  }
  return tokens
    .filter((token) => marked.has(token))
    .slice(0, MAX_MATCHES)
    .map(({ start, end }) => ({ start, end }))
}

function isTermAt(
  tokens: readonly SearchToken[],
  from: number,
  { words, isExact }: SearchTerm,
  meant: SpellingCorrections,
): boolean {
  return words.every((word, i) => {
    const found = tokens[from + i]?.word ?? ''
    if (found === word) return true
    const isLast = i === words.length - 1
    if (!isExact && isLast && canMatchAsPrefix(word) && found.startsWith(word)) return true
    return words.length === 1 && (meant.get(word) ?? []).includes(found)
  })
}
