import { cosineSimilarity, type SentenceVector } from './sentence-vectors.ts'

const ITERATIONS = 30
const DAMPING = 0.85
/** Weight of a sentence's own rank, against the weight of its similarity to sentences that are already picked. */
const RELEVANCE_WEIGHT = 0.7

/**
 * Continuous LexRank (Erkan and Radev, 2004): a sentence is important when it is similar to important sentences, as
 * with links between pages in PageRank. Returns ranks from 0 to 1.
 */
export function rankSentences(vectors: readonly SentenceVector[]): number[] {
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
 * already picked. Returns positions, the most important first.
 */
export function pickDiverse(
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
