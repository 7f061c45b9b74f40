import type { PreparedMeeting, SegmentSentence } from './prepared-meeting.ts'
import {
  countPronouns,
  countRestarts,
  needsContext,
  toReadableSentence,
} from '../../language/readable.ts'
import { countFillers, countWords, listContentWords, stopWordsOf } from '../../language/words.ts'

type Candidate = { sentence: SegmentSentence; stems: string[] }

/** Limits the number of candidates, because every pair is compared. */
const MAX_CANDIDATES = 300
/** Each part of a long meeting gives equally many candidates, so that no part is left out. */
const PARTS = 20
/** Shorter sentences have less weight, because they say little out of context. */
const FULL_WEIGHT_WORDS = 12
/** Shorter sentences are used only if a meeting has too few longer ones. */
const MIN_WORDS = { usual: 8, short: 5 }
const MIN_CONTENT_WORDS = { usual: 4, short: 2 }
const MAX_WORDS = 45
const MIN_SENTENCES = 3
const MAX_SENTENCES = 8
/** One more sentence for each group of this many segments. */
const SEGMENTS_PER_SENTENCE = 25
/** A choice needs several times as many candidates as sentences. */
const CANDIDATES_PER_SENTENCE = 3
/** A sentence that states a decision or task says more about a meeting's result than others. */
const RESULT_WEIGHT = 1.5

const ITERATIONS = 30
const DAMPING = 0.85
/** Weight of a sentence's own rank, compared with its similarity to sentences that are already picked. */
const RELEVANCE_WEIGHT = 0.7

/** A sentence's words with their weights. The vector has length 1. */
type SentenceVector = ReadonlyMap<string, number>

/** Returns the most important sentences, in the order in which they were spoken. */
export function summarize(
  meeting: PreparedMeeting,
  isResult: (segmentIndex: number) => boolean,
  scoreOf: ((sentence: SegmentSentence) => number) | null,
): SegmentSentence[] {
  const wanted = MIN_SENTENCES + Math.floor(meeting.segments.length / SEGMENTS_PER_SENTENCE)
  const count = Math.min(MAX_SENTENCES, wanted)
  const usual = listCandidates(meeting, 'usual')
  const isEnough = usual.length >= CANDIDATES_PER_SENTENCE * count
  const all = isEnough ? usual : listCandidates(meeting, 'short')
  const candidates = limitCandidates(all, meeting.segments.length, scoreOf)
  const vectors = buildSentenceVectors(candidates.map(({ stems }) => stems))
  const ranks = rankSentences(vectors).map((rank, index) => {
    const sentence = candidates[index]?.sentence
    const { segmentIndex, text } = sentence ?? { segmentIndex: -1, text: '' }
    const trained = sentence === undefined || scoreOf === null ? 1 : scoreOf(sentence)
    const lengthWeight = Math.min(1, countWords(text) / FULL_WEIGHT_WORDS)
    const breaks = countFillers(text) + countRestarts(text, meeting.language)
    const clarity = 1 / (1 + breaks + countPronouns(text, meeting.language))
    return rank * trained * lengthWeight * clarity * (isResult(segmentIndex) ? RESULT_WEIGHT : 1)
  })
  return pickDiverse(vectors, ranks, count)
    .toSorted((a, b) => a - b)
    .map((index) => candidates[index]?.sentence)
    .filter((sentence) => sentence !== undefined)
}

/** Statements of a minimum length. Leaves out questions, greetings, announcements of a topic and duplicates. */
function listCandidates(
  { segments, language, rules, people }: PreparedMeeting,
  length: 'usual' | 'short',
): Candidate[] {
  const stopWords = stopWordsOf(language)
  const seen = new Set<string>()
  const isAboutTheCall = (folded: string) =>
    rules !== null && (rules.smallTalk.test(folded) || rules.topicChange.test(folded))
  return segments.flatMap(({ sentences }) =>
    sentences.flatMap((sentence) => {
      if (sentence.isQuestion || isAboutTheCall(sentence.folded)) return []
      const readable = toReadableSentence(sentence.text, language)
      if (needsContext(readable, language)) return []
      const words = countWords(readable)
      if (words < MIN_WORDS[length] || words > MAX_WORDS || seen.has(sentence.folded)) return []
      seen.add(sentence.folded)
      const stems = listContentWords(sentence.text, stopWords, people.isNameWord).map(
        ({ stem }) => stem,
      )
      return new Set(stems).size < MIN_CONTENT_WORDS[length] ? [] : [{ sentence, stems }]
    }),
  )
}

/** Keeps the sentences with the highest score, or the most content words, from each part of the meeting. */
function limitCandidates(
  candidates: readonly Candidate[],
  segmentCount: number,
  scoreOf: ((sentence: SegmentSentence) => number) | null,
): readonly Candidate[] {
  if (candidates.length <= MAX_CANDIDATES) return candidates
  const parts = Map.groupBy(candidates, ({ sentence }) =>
    Math.floor((PARTS * sentence.segmentIndex) / segmentCount),
  )
  const weightOf = ({ sentence, stems }: Candidate) => scoreOf?.(sentence) ?? stems.length
  const kept = new Set(
    [...parts.values()].flatMap((part) =>
      part.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, MAX_CANDIDATES / PARTS),
    ),
  )
  return candidates.filter((candidate) => kept.has(candidate))
}

/**
 * Continuous LexRank (Erkan and Radev, 2004): a sentence is important if it is similar to important sentences, like
 * pages with links in PageRank. Returns ranks from 0 to 1.
 */
function rankSentences(vectors: readonly SentenceVector[]): number[] {
  const links = vectors.map((a, i) => vectors.map((b, j) => (i === j ? 0 : cosineSimilarity(a, b))))
  const totals = links.map((row) => row.reduce((sum, link) => sum + link, 0))
  let ranks = links.map(() => 1)
  for (let round = 0; round < ITERATIONS; round += 1) {
    const before = ranks
    ranks = links.map((row) => {
      let sum = 1 - DAMPING
      for (let other = 0; other < row.length; other += 1) {
        const link = row[other] ?? 0
        if (link > 0) sum += (DAMPING * link * (before[other] ?? 0)) / (totals[other] ?? 1)
      }
      return sum
    })
  }
  const highest = Math.max(...ranks, Number.MIN_VALUE)
  return ranks.map((rank) => rank / highest)
}

/**
 * Maximal marginal relevance (Carbonell and Goldstein, 1998): picks sentences that rank high and differ from those
 * already picked. Returns positions, most important first.
 */
function pickDiverse(
  vectors: readonly SentenceVector[],
  ranks: readonly number[],
  count: number,
): number[] {
  const picked: number[] = []
  const overlaps = vectors.map(() => 0)
  while (picked.length < Math.min(count, vectors.length)) {
    let best = -1
    let bestValue = -Infinity
    for (const [index, rank] of ranks.entries()) {
      if (picked.includes(index)) continue
      const value = RELEVANCE_WEIGHT * rank - (1 - RELEVANCE_WEIGHT) * (overlaps[index] ?? 0)
      if (value > bestValue) [best, bestValue] = [index, value]
    }
    const chosen = vectors[best]
    if (chosen === undefined) break
    picked.push(best)
    for (const [index, vector] of vectors.entries()) {
      overlaps[index] = Math.max(overlaps[index] ?? 0, cosineSimilarity(vector, chosen))
    }
  }
  return picked
}

/** Weighs words by TF-IDF: words in few sentences get more weight. */
function buildSentenceVectors(
  stemsOfSentences: ReadonlyArray<readonly string[]>,
): SentenceVector[] {
  const sentencesWith = new Map<string, number>()
  for (const stems of stemsOfSentences) {
    for (const stem of new Set(stems)) sentencesWith.set(stem, (sentencesWith.get(stem) ?? 0) + 1)
  }
  return stemsOfSentences.map((stems) => {
    const weights = new Map<string, number>()
    for (const stem of stems) {
      const rarity = Math.log(1 + stemsOfSentences.length / (sentencesWith.get(stem) ?? 1))
      weights.set(stem, (weights.get(stem) ?? 0) + rarity)
    }
    const length = Math.hypot(...weights.values())
    for (const [stem, weight] of weights) weights.set(stem, weight / length)
    return weights
  })
}

/** The similarity of two sentences, from 0 to 1. */
function cosineSimilarity(a: SentenceVector, b: SentenceVector): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [stem, weight] of small) sum += weight * (large.get(stem) ?? 0)
  return sum
}
