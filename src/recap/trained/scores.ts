import type { PreparedMeeting, SegmentSentence } from '../rules/prepared-meeting.ts'
import english from './english.json' with { type: 'json' }
import { PLACES, readFeatures, type Place } from './line-features.ts'

/** What the weights were trained to recognize. The order is that of the weights in `english.json`. */
export const TRAINED_KINDS = ['action', 'decision', 'summary'] as const
export type TrainedKind = (typeof TRAINED_KINDS)[number]

/** `score` is about the probability that a sentence, or one next to it, is of the kind. */
export type ScoredSentence = { sentence: SegmentSentence; score: Record<TrainedKind, number> }

/** A sentence next to others with a high score is more likely to be of the kind. */
const NEIGHBOUR_WEIGHTS = [0.25, 0.5, 1, 0.5, 0.25]
/** Shorter sentences say too little. */
export const MIN_TRAINED_WORDS = 4

const vocabulary = new Set(english.vocabulary.split(' '))
const weightsAt = new Map(
  PLACES.map((place): [Place, ReadonlyMap<string, readonly number[]>] => [
    place,
    new Map(Object.entries<number[]>(english.weights[place])),
  ]),
)

/** The scores of all sentences in order, or null for a language without trained weights. */
export function scoreSentences(meeting: PreparedMeeting): ScoredSentence[] | null {
  if (meeting.language !== 'en') return null
  const sums = TRAINED_KINDS.map((): number[] => [])
  const sentences = readFeatures(meeting, vocabulary, (index, place, feature) => {
    const weights = weightsAt.get(place)?.get(feature)
    if (weights === undefined) return
    for (const [kind, ofKind] of sums.entries()) {
      ofKind[index] = (ofKind[index] ?? 0) + (weights[kind] ?? 0)
    }
  })
  const scores = sums.map((ofKind, kind) => {
    const bias = english.bias[kind] ?? 0
    return smoothScores(sentences.map((_, index) => toProbability((ofKind[index] ?? 0) + bias)))
  })
  return sentences.map((sentence, index) => {
    const [action = 0, decision = 0, summary = 0] = scores.map((ofKind) => ofKind[index] ?? 0)
    return { sentence, score: { action, decision, summary } }
  })
}

function toProbability(hundredths: number): number {
  return 1 / (1 + Math.exp(-hundredths / 100))
}

/** The minimum score of an entry, which keeps most wrong ones out of meetings that the weights were not trained on. */
export function minScoreOf(kind: 'action' | 'decision'): number {
  return english.minScores[kind]
}

/** Adds parts of the scores of the sentences around each one. */
export function smoothScores(scores: readonly number[]): number[] {
  const middle = Math.floor(NEIGHBOUR_WEIGHTS.length / 2)
  return scores.map((_, index) =>
    NEIGHBOUR_WEIGHTS.reduce(
      (sum, weight, step) => sum + weight * (scores[index + step - middle] ?? 0),
      0,
    ),
  )
}

/** Picks sentences with at least this score, the highest first, and none near a picked one. */
export function pickSentences(
  candidates: ReadonlyArray<{ sentence: SegmentSentence; score: number }>,
  { minScore, distance, max }: { minScore: number; distance: number; max: number },
): SegmentSentence[] {
  const taken = new Set<number>()
  const picked: SegmentSentence[] = []
  for (const { sentence, score } of candidates.toSorted((a, b) => b.score - a.score)) {
    if (score < minScore || picked.length >= max) break
    if (taken.has(sentence.segmentIndex)) continue
    picked.push(sentence)
    for (let step = -distance; step <= distance; step += 1) taken.add(sentence.segmentIndex + step)
  }
  return picked
}
