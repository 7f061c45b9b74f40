/** The words of a sentence with their weights. The length of the vector is 1. */
export type SentenceVector = ReadonlyMap<string, number>

/** Weighs words by TF-IDF: words that few sentences contain count more. */
export function buildSentenceVectors(
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
export function cosineSimilarity(a: SentenceVector, b: SentenceVector): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [stem, weight] of small) sum += weight * (large.get(stem) ?? 0)
  return sum
}
