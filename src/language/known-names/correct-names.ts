import { foldText } from '../words.ts'
import { type KnownNames, listCandidates, type NameCandidate } from './name-candidates.ts'
import { rankWord, type WordRank } from './ordinary-words.ts'
import { measureDistance, measureSounds, toSignature } from './sound-distance.ts'
import { toSounds } from './sounds.ts'

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

type Match = { from: number; to: number; candidate: NameCandidate; similarity: number; gain: number }

/** Nobody says more words in an utterance. */
const MOST_HEARD_WORDS = 200
const LONGEST_WINDOW = 4
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu
const POSSESSIVE = /['’]s$/i
const SENTENCE_END = /[.?!:;]/

/** What the heard words say about how similar they must be. */
type Evidence = 'names' | 'mixed' | 'ordinary'

/** The least similarity, from 0 to 1, that is enough. */
const LEAST_SIMILARITY: Readonly<Record<'part' | 'long', Record<Evidence, number>>> = {
  part: { names: 0.8, mixed: 0.86, ordinary: 0.97 },
  long: { names: 0.7, mixed: 0.74, ordinary: 0.86 },
}
/** Short names must be more similar, because there are more words like them. */
const SHORT_WEIGHT = 3.6
const SHORT_PENALTY = 0.06
/** Heard ordinary words stand only for a name in which this much is said. */
const LEAST_ORDINARY_WEIGHT = 4
/** Another name that is nearly as similar makes the match uncertain. */
const LEAST_LEAD = 0.04

export function createNameCorrector(names: KnownNames) {
  const candidates = listCandidates(names)
  const knownWords = new Set(candidates.flatMap(({ words }) => words))

  return {
    correct(text: string): CorrectedText {
      if (candidates.length === 0) return { text, corrections: [] }
      const words = splitHeard(text, knownWords)
      const matches: Match[] = []
      for (let from = 0; from < words.length; from += 1)
        for (let to = from + 1; to <= Math.min(words.length, from + LONGEST_WINDOW); to += 1) {
          if (to > from + 1 && words[to - 1]!.isSentenceStart) break
          const match = findMatch(text, words, from, to, candidates)
          if (match !== null) matches.push(match)
        }
      return applyMatches(text, words, matches)
    },
  }
}

function splitHeard(text: string, knownWords: ReadonlySet<string>): HeardWord[] {
  let end = 0
  const words: HeardWord[] = []
  for (const { 0: raw, index } of text.matchAll(WORD)) {
    if (words.length === MOST_HEARD_WORDS) break
    const word = raw.replace(POSSESSIVE, '')
    const isSentenceStart = words.length === 0 || SENTENCE_END.test(text.slice(end, index))
    const rank = word.length < 3 || /\d/.test(word) ? 'frequent' : rankWord(word.toLowerCase())
    const isCapital = !isSentenceStart && /^\p{Lu}\p{Ll}/u.test(word)
    end = index + word.length
    words.push({
      text: word,
      start: index,
      end,
      folded: foldText(word),
      rank,
      isNameLike: rank === 'unknown' || isCapital,
      isSentenceStart,
      isKnown: knownWords.has(word),
    })
  }
  return words
}

function findMatch(
  text: string,
  words: readonly HeardWord[],
  from: number,
  to: number,
  candidates: readonly NameCandidate[],
): Match | null {
  const heard = words.slice(from, to)
  const evidence = judge(heard)
  if (evidence === null) return null
  const spelt = text.slice(heard[0]!.start, heard.at(-1)!.end)
  const folded = heard.map((word) => word.folded).join(' ')
  const sounds = toSounds(spelt)
  const weight = measureSounds(sounds)
  const signature = toSignature(sounds)
  let best: Match | null = null
  let second = 0
  for (const candidate of candidates) {
    // These words, or some of them, are already written correctly.
    if (candidate.text === spelt) return null
    if (heard.length > 1 && ` ${folded} `.includes(` ${candidate.folded} `) && candidate.folded !== folded) continue
    const least = leastSimilarity(candidate, evidence, heard.length)
    if (least === null) continue
    let similarity = candidate.folded === folded ? 1 : 0
    for (const reading of similarity === 1 ? [] : candidate.readings) {
      const mean = (weight + reading.weight) / 2
      const most = (1 - least) * mean
      if (Math.abs(weight - reading.weight) > most) continue
      if (countBits(signature ^ reading.signature) > 2 * most + 3) continue
      const distance = measureDistance(sounds, reading.sounds, most)
      similarity = Math.max(similarity, 1 - distance / mean)
    }
    if (similarity < least || losesKnownWord(heard, candidate)) continue
    const gain = similarity - least + 0.01 * candidate.folded.length
    if (best === null || similarity > best.similarity) {
      second = best?.similarity ?? second
      best = { from, to, candidate, similarity, gain }
    } else second = Math.max(second, similarity)
  }
  return best === null || best.similarity - second < LEAST_LEAD ? null : best
}

/** Null if these words are certainly no name. */
function judge(heard: readonly HeardWord[]): Evidence | null {
  const nameLike = heard.filter(({ isNameLike }) => isNameLike).length
  const unknown = heard.filter(({ rank }) => rank === 'unknown').length
  if (heard.length === 1) return unknown === 1 && !heard[0]!.isKnown ? 'names' : null
  if (nameLike === heard.length) return 'names'
  if (nameLike > 0) return 'mixed'
  return 'ordinary'
}

/** Null if the words cannot stand for the candidate. */
function leastSimilarity(
  { isLong, words, readings }: NameCandidate,
  evidence: Evidence,
  heardCount: number,
): number | null {
  const weight = readings[0]!.weight
  if (heardCount > words.length + 2) return null
  if (evidence !== 'names' && weight < LEAST_ORDINARY_WEIGHT) return null
  const least = LEAST_SIMILARITY[isLong ? 'long' : 'part'][evidence]
  return weight < SHORT_WEIGHT ? least + SHORT_PENALTY : least
}

/** True if a word that is written like a known name would disappear. */
function losesKnownWord(heard: readonly HeardWord[], { words }: NameCandidate): boolean {
  return heard.some(({ isKnown, text }) => isKnown && !words.includes(text))
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
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
