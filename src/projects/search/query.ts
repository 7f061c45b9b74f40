import { tokensOf } from './words.ts'

/** Words that must follow each other; the last may go on, unless they were in quotes. */
export type Term = { words: string[]; isExact: boolean }

/** For each word that nobody ever wrote: those that may have been meant. */
export type Meant = ReadonlyMap<string, readonly string[]>

const MAX_LENGTH = 1_000
const MAX_TERMS = 12
const MAX_WORDS = 24
/** Shorter beginnings fit too many words. */
const MIN_PREFIX = 3

/** What somebody looks for: every word, and "words in quotes" as they stand. Nothing in it is an operator. */
export function readTerms(text: string): Term[] {
  const parts = text.slice(0, MAX_LENGTH).matchAll(/["“”„«»]([^"“”„«»]*)["“”„«»]|[^\s"“”„«»]+/g)
  const terms: Term[] = []
  for (const { 0: part, 1: quoted } of parts) {
    const words = tokensOf(quoted ?? part).map(({ word }) => word)
    if (words.length > 0)
      terms.push({ words: words.slice(0, MAX_WORDS), isExact: quoted !== undefined })
    if (terms.length === MAX_TERMS) break
  }
  return terms
}

/** The single words whose spelling may be in doubt. */
export function doubtfulWords(terms: readonly Term[]): string[] {
  return terms
    .filter(({ isExact, words }) => !isExact && words.length === 1)
    .flatMap(({ words }) => words)
}

/** The question to the database. Words are letters and digits only, so there is nothing to escape. */
export function toTsQuery(terms: readonly Term[], meant: Meant): string {
  return terms.map((term) => toOperand(term, meant)).join(' & ')
}

/** The words as they are written, any of them: what fits exactly comes first. */
export function toExactQuery(terms: readonly Term[]): string {
  return terms.map(({ words }) => `(${words.map((word) => `'${word}'`).join(' <-> ')})`).join(' | ')
}

/** Who must have said it. */
export function toSpeakerQuery(speaker: string): string | null {
  const words = tokensOf(speaker).slice(0, MAX_WORDS)
  if (words.length === 0) return null
  return words.map(({ word }) => `'${word}':${isPrefix(word) ? '*' : ''}B`).join(' & ')
}

/** Whether a word may go on where it ends. */
export function isPrefix(word: string): boolean {
  return word.length >= MIN_PREFIX
}

function toOperand({ words, isExact }: Term, meant: Meant): string {
  const last = words.length - 1
  const chain = words
    .map((word, i) => `'${word}'${!isExact && i === last && isPrefix(word) ? ':*' : ''}`)
    .join(' <-> ')
  const others = words.length === 1 ? (meant.get(words[0] ?? '') ?? []) : []
  return `(${[chain, ...others.map((word) => `'${word}'`)].join(' | ')})`
}
