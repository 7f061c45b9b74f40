import { foldText } from '../words.ts'
import {
  findSimilarCandidates,
  indexCandidates,
  measureSimilarity,
  type CandidateIndex,
} from './candidate-index.ts'
import { type KnownNames, listCandidates, type NameCandidate } from './name-candidates.ts'
import type { WordRank, WordRanker } from './ordinary-words.ts'

/** A change of recognized text: the heard words and the name that replaces them. */
export type NameCorrection = { heard: string; name: string; similarity: number }

export type CorrectedText = { text: string; corrections: NameCorrection[] }

/** Corrects names in recognized text. Words that are likely to be right stay as they are. */
export type NameCorrector = ReturnType<typeof createNameCorrector>

type HeardWord = {
  text: string
  /** Positions in the text. */
  start: number
  end: number
  folded: string
  rank: WordRank
  /** True for an unknown word, and for one with a capital inside a sentence. */
  isNameLike: boolean
  isSentenceStart: boolean
  /** True if it is written exactly like a word of a known name. */
  isKnown: boolean
}

type Match = {
  from: number
  to: number
  candidate: NameCandidate
  similarity: number
  gain: number
}

/** What the heard words say about how similar a name must be. */
type Evidence = 'names' | 'mixed' | 'ordinary'

/** Nobody says more words in an utterance. */
const MOST_HEARD_WORDS = 120
/** For each text. A hundred ordinary words and 2,500 names need a quarter of it. */
const MOST_COMPARISONS = 30_000
const LONGEST_WINDOW = 4
/** Names are split differently when they are heard, but not into many more words. */
const MOST_EXTRA_WORDS = 2
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu
const POSSESSIVE = /['’]s$/i
const SENTENCE_END = /[.?!:;]/
const CAPITAL = /^\p{Lu}/u
const MIN_HEARD_LETTERS = 3

/** The least similarity, from 0 to 1, that is enough for a single name and for a full name or term. */
const LEAST_SIMILARITY: Readonly<Record<'single' | 'long', Record<Evidence, number>>> = {
  single: { names: 0.81, mixed: 0.86, ordinary: 0.97 },
  long: { names: 0.7, mixed: 0.76, ordinary: 0.88 },
}
/** Short names must be more similar, because more other words are like them. */
const SHORT_NAMES = [
  { below: 2.6, least: 0.95 },
  { below: 4, least: 0.86 },
] as const
const SHORT_LONG_NAME = { below: 5.5, least: 0.84 }
/** Heard ordinary words stand only for a name in which at least this much is said. */
const LEAST_ORDINARY_WEIGHT = 4
/** The words beside a right one must be this similar to the rest of the name. */
const LEAST_REST_SIMILARITY = 0.5
/** Another name that is nearly as similar makes the match uncertain. */
const LEAST_LEAD = 0.04

/** Works on at most 120 words of a text, with the first 500 people and 1,000 terms. */
export function createNameCorrector(names: KnownNames, rankWord: WordRanker) {
  const index = indexCandidates(listCandidates(names, rankWord))
  return {
    correct(text: string): CorrectedText {
      if (index.texts.size === 0) return { text, corrections: [] }
      const words = splitHeard(text, index, rankWord)
      return applyMatches(text, words, listMatches(text, words, index))
    },
  }
}

function splitHeard(
  text: string,
  { words: knownWords }: CandidateIndex,
  rankWord: WordRanker,
): HeardWord[] {
  let end = 0
  const words: HeardWord[] = []
  for (const { 0: raw, index } of text.matchAll(WORD)) {
    if (words.length === MOST_HEARD_WORDS) break
    const word = raw.replace(POSSESSIVE, '')
    const isSentenceStart = words.length === 0 || SENTENCE_END.test(text.slice(end, index))
    const isTooShort = word.length < MIN_HEARD_LETTERS || /\d/.test(word)
    const rank = isTooShort ? 'frequent' : rankWord(word.toLowerCase())
    end = index + word.length
    words.push({
      text: word,
      start: index,
      end,
      folded: foldText(word),
      rank,
      isNameLike:
        rank === 'unknown' || (rank === 'ordinary' && !isSentenceStart && CAPITAL.test(word)),
      isSentenceStart,
      isKnown: knownWords.has(word),
    })
  }
  return words
}

function listMatches(text: string, words: readonly HeardWord[], index: CandidateIndex): Match[] {
  const matches: Match[] = []
  const work = { left: MOST_COMPARISONS }
  for (let from = 0; from < words.length; from += 1)
    for (let to = from + 1; to <= Math.min(words.length, from + LONGEST_WINDOW); to += 1) {
      if (to > from + 1 && words[to - 1]!.isSentenceStart) break
      const heard = words.slice(from, to)
      const spelt = text.slice(heard[0]!.start, heard.at(-1)!.end)
      const match = index.texts.has(spelt) ? null : findMatch(spelt, heard, index, work)
      if (match !== null) matches.push({ from, to, ...match })
    }
  return matches
}

function findMatch(
  spelt: string,
  heard: readonly HeardWord[],
  index: CandidateIndex,
  work: { left: number },
): Omit<Match, 'from' | 'to'> | null {
  const evidence = judge(heard)
  if (evidence === null) return null
  const folded = heard.map((word) => word.folded).join(' ')
  const least = {
    single: heard.length > 1 + MOST_EXTRA_WORDS ? Infinity : LEAST_SIMILARITY.single[evidence],
    long: LEAST_SIMILARITY.long[evidence],
  }
  const similar = findSimilarCandidates(index, { spelt, folded }, least, work)
  const [best, second] = similar
    .filter(({ candidate }) => !isPartlyRight(heard, folded, candidate))
    .toSorted((one, other) => other.similarity - one.similarity)
  if (best === undefined) return null
  if (second !== undefined && best.similarity - second.similarity < LEAST_LEAD) return null
  const needed = leastSimilarity(best.candidate, evidence, heard)
  if (best.similarity < needed) return null
  // Of two overlapping matches, the one that says more about itself is chosen.
  return { ...best, gain: best.similarity - needed + 0.01 * best.candidate.folded.length }
}

/** Null if these words are certainly not a name that was heard wrong. */
function judge(heard: readonly HeardWord[]): Evidence | null {
  const [first] = heard
  if (heard.length === 1) return first!.rank === 'unknown' && !first!.isKnown ? 'names' : null
  const nameLike = heard.filter(({ isNameLike }) => isNameLike).length
  if (nameLike === heard.length) return 'names'
  return nameLike > 0 ? 'mixed' : 'ordinary'
}

/** Infinity if the words cannot stand for the candidate. */
function leastSimilarity(
  { isLong, words, weight }: NameCandidate,
  evidence: Evidence,
  heard: readonly HeardWord[],
): number {
  if (heard.length > words.length + MOST_EXTRA_WORDS) return Infinity
  if (evidence !== 'names' && weight < LEAST_ORDINARY_WEIGHT) return Infinity
  const least = LEAST_SIMILARITY[isLong ? 'long' : 'single'][evidence]
  if (isLong) return weight < SHORT_LONG_NAME.below ? Math.max(least, SHORT_LONG_NAME.least) : least
  // Recognizers write names with a capital, so a short word without one is not a name.
  const isLowerCase = heard.every(({ text }) => !CAPITAL.test(text))
  if (isLowerCase && weight < LEAST_ORDINARY_WEIGHT) return 1
  return Math.max(least, SHORT_NAMES.find(({ below }) => weight < below)?.least ?? 0)
}

/** True if the candidate would remove a right word, or replace other words beside a right one that are unlike it. */
function isPartlyRight(
  heard: readonly HeardWord[],
  folded: string,
  candidate: NameCandidate,
): boolean {
  if (heard.length === 1 || folded === candidate.folded) return false
  if (` ${folded} `.includes(` ${candidate.folded} `)) return true
  if (heard.some(({ isKnown, text }) => isKnown && !candidate.words.includes(text))) return true
  const rightWords = candidate.folded.split(' ')
  const rest = heard.filter((word) => !rightWords.includes(word.folded))
  if (rest.length === heard.length) return false
  if (rest.every(({ isNameLike }) => !isNameLike)) return true
  const missing = candidate.words.filter(
    (word) => !heard.some((other) => other.folded === foldText(word)),
  )
  return measureSimilarity(joinTexts(rest), missing.join(' ')) < LEAST_REST_SIMILARITY
}

function joinTexts(heard: readonly HeardWord[]): string {
  return heard.map(({ text }) => text).join(' ')
}

/** Applies the clearest matches that do not overlap. */
function applyMatches(
  text: string,
  words: readonly HeardWord[],
  matches: readonly Match[],
): CorrectedText {
  const chosen: Match[] = []
  for (const match of matches.toSorted((one, other) => other.gain - one.gain))
    if (chosen.every(({ from, to }) => match.to <= from || match.from >= to)) chosen.push(match)
  let corrected = ''
  let end = 0
  const corrections: NameCorrection[] = []
  for (const { from, to, candidate, similarity } of chosen.toSorted((a, b) => a.from - b.from)) {
    const { start } = words[from]!
    const heard = text.slice(start, words[to - 1]!.end)
    corrected += text.slice(end, start) + candidate.text
    end = words[to - 1]!.end
    corrections.push({ heard, name: candidate.text, similarity })
  }
  return { text: corrected + text.slice(end), corrections }
}
