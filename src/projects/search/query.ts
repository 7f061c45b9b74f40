import { tokenize } from './tokenize.ts'

/** Consecutive words. Unless they were quoted (`isExact`), the last one also matches as a prefix. */
export type SearchTerm = { words: string[]; isExact: boolean }

/** Maps words that occur in no text to similar words that do. */
export type SpellingCorrections = ReadonlyMap<string, readonly string[]>

const MAX_LENGTH = 1_000
const MAX_TERMS = 12
const MAX_WORDS = 24
/** Shorter prefixes match too many words. */
const MIN_PREFIX_LENGTH = 3

/** Splits a search text into words and "quoted phrases". The text has no operators. */
export function parseSearchTerms(text: string): SearchTerm[] {
  const parts = text.slice(0, MAX_LENGTH).matchAll(/["“”„«»]([^"“”„«»]*)["“”„«»]|[^\s"“”„«»]+/g)
  const terms: SearchTerm[] = []
  for (const { 0: part, 1: quoted } of parts) {
    const words = tokenize(quoted ?? part).map(({ word }) => word)
    if (words.length > 0)
      terms.push({ words: words.slice(0, MAX_WORDS), isExact: quoted !== undefined })
    if (terms.length === MAX_TERMS) break
  }
  return terms
}

/** The unquoted single words, which may be misspelt. */
export function listWordsToSpellCheck(terms: readonly SearchTerm[]): string[] {
  return terms
    .filter(({ isExact, words }) => !isExact && words.length === 1)
    .flatMap(({ words }) => words)
}

/** The terms as a PostgreSQL tsquery. Words contain only letters and digits, so nothing needs escaping. */
export function toTsQuery(terms: readonly SearchTerm[], corrections: SpellingCorrections): string {
  return terms.map((term) => toOperand(term, corrections)).join(' & ')
}

/** A tsquery for exact matches of any term, used to rank them first. */
export function toExactTsQuery(terms: readonly SearchTerm[]): string {
  return terms.map(({ words }) => `(${words.map((word) => `'${word}'`).join(' <-> ')})`).join(' | ')
}

/** A tsquery that matches the speaker's name. Null when the name contains no word. */
export function toSpeakerTsQuery(speaker: string): string | null {
  const words = tokenize(speaker).slice(0, MAX_WORDS)
  if (words.length === 0) return null
  return words.map(({ word }) => `'${word}':${canMatchAsPrefix(word) ? '*' : ''}B`).join(' & ')
}

/** Whether a word is long enough to match as a prefix. */
export function canMatchAsPrefix(word: string): boolean {
  return word.length >= MIN_PREFIX_LENGTH
}

function toOperand({ words, isExact }: SearchTerm, corrections: SpellingCorrections): string {
  const last = words.length - 1
  const chain = words
    .map((word, i) => `'${word}'${!isExact && i === last && canMatchAsPrefix(word) ? ':*' : ''}`)
    .join(' <-> ')
  const alternatives = words.length === 1 ? (corrections.get(words[0] ?? '') ?? []) : []
  return `(${[chain, ...alternatives.map((word) => `'${word}'`)].join(' | ')})`
}
