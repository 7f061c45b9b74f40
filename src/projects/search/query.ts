import { tokenize } from './tokenize.ts'

/** Words that must follow each other; the last may go on, unless they were in quotes. */
export type SearchTerm = { words: string[]; isExact: boolean }

/** For each word that nobody ever wrote: those that may have been meant. */
export type SpellingCorrections = ReadonlyMap<string, readonly string[]>

const MAX_LENGTH = 1_000
const MAX_TERMS = 12
const MAX_WORDS = 24
/** Shorter beginnings fit too many words. */
const MIN_PREFIX = 3

/** What somebody looks for: every word, and "words in quotes" as they stand. Nothing in it is an operator. */
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

/** The single words whose spelling may be in doubt. */
export function wordsToSpellCheck(terms: readonly SearchTerm[]): string[] {
  return terms
    .filter(({ isExact, words }) => !isExact && words.length === 1)
    .flatMap(({ words }) => words)
}

/** The question to the database. Words are letters and digits only, so there is nothing to escape. */
export function toTsQuery(terms: readonly SearchTerm[], meant: SpellingCorrections): string {
  return terms.map((term) => toOperand(term, meant)).join(' & ')
}

/** The words as they are written, any of them: what fits exactly comes first. */
export function toExactQuery(terms: readonly SearchTerm[]): string {
  return terms.map(({ words }) => `(${words.map((word) => `'${word}'`).join(' <-> ')})`).join(' | ')
}

/** Who must have said it. */
export function toSpeakerQuery(speaker: string): string | null {
  const words = tokenize(speaker).slice(0, MAX_WORDS)
  if (words.length === 0) return null
  return words.map(({ word }) => `'${word}':${canMatchAsPrefix(word) ? '*' : ''}B`).join(' & ')
}

/** Whether a word may go on where it ends. */
export function canMatchAsPrefix(word: string): boolean {
  return word.length >= MIN_PREFIX
}

function toOperand({ words, isExact }: SearchTerm, meant: SpellingCorrections): string {
  const last = words.length - 1
  const chain = words
    .map((word, i) => `'${word}'${!isExact && i === last && canMatchAsPrefix(word) ? ':*' : ''}`)
    .join(' <-> ')
  const others = words.length === 1 ? (meant.get(words[0] ?? '') ?? []) : []
  return `(${[chain, ...others.map((word) => `'${word}'`)].join(' | ')})`
}
