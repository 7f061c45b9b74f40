import { cleanText } from '../clean-text.ts'
import { cleanParticipantName, UNKNOWN_SPEAKER } from '../person-names.ts'
import { foldText } from '../words.ts'
import type { WordRanker } from './ordinary-words.ts'
import { measureSounds } from './sound-distance.ts'
import { toSounds } from './sounds.ts'

/** Who and what may be named in a meeting. */
export type KnownNames = {
  /** Names of people. Their given and family names are also known alone. */
  people: readonly string[]
  /** Product names and other terms. */
  terms: readonly string[]
}

/** A text that heard words may stand for. */
export type NameCandidate = {
  text: string
  words: readonly string[]
  /** The same without case and accents. */
  folded: string
  /** True for a full name or a term of several words. */
  isLong: boolean
  /** How much is said. */
  weight: number
}

export const MOST_PEOPLE = 500
export const MOST_TERMS = 1_000
const MAX_CHARS = 100
const MAX_WORDS = 4
/** Shorter names sound like too many other words. */
const MIN_LETTERS = 3
const WORD = /[\p{L}\p{M}][\p{L}\p{M}'’-]*/gu
const TITLE =
  /^(?:dr|prof|mr|mrs|ms|sir|herr|frau|sr|sra|don|mme|van|von|der|den|de|da|di|la|le|el|al|bin|ibn|the|guest)$/
/** Only these can be compared by their sounds. */
const LATIN = /^[\p{Script=Latin}\p{M}\s'’.-]+$/u
/** An address, a number or a device is not what people say. */
const NOT_A_NAME = /[@\d/\\]/

/** Each name, and each part by which people call someone. Texts that cannot be compared are left out. */
export function listCandidates(
  { people, terms }: KnownNames,
  rankWord: WordRanker,
): NameCandidate[] {
  const candidates = new Map<string, NameCandidate>()
  const add = (words: readonly string[]) => {
    const text = words.join(' ')
    if (text.length < MIN_LETTERS || candidates.has(text)) return
    candidates.set(text, createCandidate(text, words))
  }
  for (const raw of people.slice(0, MOST_PEOPLE)) {
    const words = splitName(cleanParticipantName(raw.slice(0, MAX_CHARS)))
    if (words.length > 1) add(words)
    // "Will" or "Rose" alone is usually the ordinary word.
    const parts = [words[0] ?? [], words.length > 1 ? words.at(-1)! : []].flat()
    for (const part of parts) if (rankWord(part.toLowerCase()) === 'unknown') add([part])
  }
  for (const raw of terms.slice(0, MOST_TERMS)) {
    const words = splitName(cleanText(raw.slice(0, MAX_CHARS)))
    if (words.length > 1 || rankWord(words[0]?.toLowerCase() ?? '') === 'unknown') add(words)
  }
  return [...candidates.values()]
}

/** The words of a name without titles; empty for a text that is not a name in Latin letters. */
function splitName(name: string): string[] {
  if (name === UNKNOWN_SPEAKER || NOT_A_NAME.test(name) || !LATIN.test(name)) return []
  const words = Array.from(name.matchAll(WORD), ([word]) => word)
  const isTitled = TITLE.test(foldText(words[0] ?? ''))
  return (isTitled ? words.slice(1) : words).slice(0, MAX_WORDS)
}

function createCandidate(text: string, words: readonly string[]): NameCandidate {
  const weight = measureSounds(toSounds(text))
  return { text, words, folded: foldText(text), isLong: words.length > 1, weight }
}
