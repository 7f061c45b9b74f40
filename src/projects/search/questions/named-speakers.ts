import { tokenize } from '../words/tokenize.ts'
import type { ParsedQuestion } from './question-terms.ts'

export type NamedSpeakers = {
  speakers: ReadonlySet<string>
  /** Indexes of the tokens of the question that are their names. */
  tokenIndexes: ReadonlySet<number>
}

type NameMatch = { speaker: string; start: number; length: number }

/** What follows is a role or an organisation: `Ana Lima (Finance)`. */
const AFTER_NAME = /[(,|].*$/su
const LOWER_CASE = /^\p{Ll}/u
/** A part of a name that this share of all speakers has, such as a title, names nobody. */
const MAX_SHARE_OF_SPEAKERS = 1 / 3

/**
 * The speakers whom a question names, by their whole name or by a part of it that begins with a capital letter. A longer
 * match wins: `Ben Okri` names one of two Bens.
 */
export function findNamedSpeakers(
  { text, tokens }: ParsedQuestion,
  speakers: ReadonlySet<string>,
): NamedSpeakers {
  const words = tokens.map(({ word }) => word)
  const canBeName = tokens.map(({ start }) => !LOWER_CASE.test(text.slice(start)))
  const matches = Array.from(speakers, (speaker) => findLongestMatch(words, canBeName, speaker))
    .filter((match) => match !== null)
    .toSorted((a, b) => b.length - a.length)
  const named = new Set<string>()
  const tokenIndexes = new Set<number>()
  const maxNamed = Math.max(1, speakers.size * MAX_SHARE_OF_SPEAKERS)
  for (const match of matches) {
    const { start, length, speaker } = match
    const isInLonger = matches.some((other) => other.length > length && contains(other, match))
    const equals = matches.filter((other) => other.start === start && other.length === length)
    if (isInLonger || equals.length > maxNamed) continue
    named.add(speaker)
    for (let i = 0; i < length; i += 1) tokenIndexes.add(start + i)
  }
  return { speakers: named, tokenIndexes }
}

function contains(outer: NameMatch, inner: NameMatch): boolean {
  return outer.start <= inner.start && outer.start + outer.length >= inner.start + inner.length
}

/** The longest row of words of the question that is also a row of words of the name. */
function findLongestMatch(
  words: readonly string[],
  canBeName: readonly boolean[],
  speaker: string,
): NameMatch | null {
  const name = tokenize(speaker.replace(AFTER_NAME, ''))
  let best: NameMatch | null = null
  for (const [start] of words.entries()) {
    if (canBeName[start] !== true) continue
    for (const [from] of name.entries()) {
      let length = 0
      while (from + length < name.length && words[start + length] === name[from + length]?.word)
        length += 1
      // Every question begins with a capital letter, and a single character of a script without spaces is no name.
      const isEnough =
        length >= 2 ||
        (length === 1 && name[from]?.isUnspaced === false && (start > 0 || name.length === 1))
      if (isEnough && length > (best?.length ?? 0)) best = { speaker, start, length }
    }
  }
  return best
}
