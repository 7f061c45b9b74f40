import type { NameCandidate } from './name-candidates.ts'
import {
  LEAST_CONSONANT_COST,
  measureDistance,
  measureSounds,
  toSignature,
} from './sound-distance.ts'
import { listReadings, type Sounds, toSounds } from './sounds.ts'

type Reading = { candidate: NameCandidate; sounds: Sounds; weight: number; signature: number }

/** The candidates of a meeting, ordered so that few of them must be compared with heard words. */
export type CandidateIndex = ReturnType<typeof indexCandidates>

export type SimilarCandidate = { candidate: NameCandidate; similarity: number }

export function indexCandidates(candidates: readonly NameCandidate[]) {
  const readings: Reading[] = candidates
    .flatMap((candidate) => listReadings(candidate.text).map((sounds) => ({ candidate, sounds })))
    .map((reading) => ({
      ...reading,
      weight: measureSounds(reading.sounds),
      signature: toSignature(reading.sounds),
    }))
    .toSorted((one, other) => one.weight - other.weight)
  return {
    texts: new Set(candidates.map(({ text }) => text)),
    words: new Set(candidates.flatMap(({ words }) => words)),
    byFolded: Map.groupBy(candidates, ({ folded }) => folded),
    readings,
    weights: Float64Array.from(readings, ({ weight }) => weight),
    signatures: Int32Array.from(readings, ({ signature }) => signature),
    longs: Uint8Array.from(readings, ({ candidate }) => Number(candidate.isLong)),
  }
}

/**
 * All candidates that are at least so similar: names of one word, and longer ones. Those that are spelt alike without
 * accents have similarity 1. `work` counts down the comparisons that the caller allows.
 */
export function findSimilarCandidates(
  { byFolded, readings, weights, signatures, longs }: CandidateIndex,
  { spelt, folded }: { spelt: string; folded: string },
  { single, long }: { single: number; long: number },
  work: { left: number },
): SimilarCandidate[] {
  const equal = byFolded.get(folded)
  if (equal !== undefined) return equal.map((candidate) => ({ candidate, similarity: 1 }))
  const sounds = toSounds(spelt)
  const weight = measureSounds(sounds)
  const signature = toSignature(sounds)
  const found = new Map<NameCandidate, number>()
  // The weights of similar sounds differ at most by this share of their mean.
  const slack = (1 - Math.min(single, long)) / 2
  const lightest = (weight * (1 - slack)) / (1 + slack)
  const heaviest = (weight * (1 + slack)) / (1 - slack)
  for (let at = findFirst(weights, lightest); at < weights.length && work.left > 0; at += 1) {
    const other = weights[at]!
    if (other > heaviest) break
    const least = longs[at] === 1 ? long : single
    const mean = (weight + other) / 2
    const most = (1 - least) * mean
    if ((countBits(signature ^ signatures[at]!) / 2) * LEAST_CONSONANT_COST > most) continue
    work.left -= 1
    const { candidate, sounds: otherSounds } = readings[at]!
    const similarity = 1 - measureDistance(sounds, otherSounds, most) / mean
    if (similarity >= least && similarity > (found.get(candidate) ?? 0))
      found.set(candidate, similarity)
  }
  return Array.from(found, ([candidate, similarity]) => ({ candidate, similarity }))
}

/** From 0 to 1, in the reading of the name that is most similar. */
export function measureSimilarity(heard: string, name: string): number {
  const sounds = toSounds(heard)
  const similarities = listReadings(name).map((reading) => {
    const mean = (measureSounds(sounds) + measureSounds(reading)) / 2
    return mean === 0 ? 0 : 1 - measureDistance(sounds, reading, Infinity) / mean
  })
  return Math.max(...similarities)
}

/** The index of the first weight that is at least this large. */
function findFirst(weights: Float64Array, least: number): number {
  let [from, to] = [0, weights.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (weights[middle]! < least) from = middle + 1
    else to = middle
  }
  return from
}

function countBits(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
