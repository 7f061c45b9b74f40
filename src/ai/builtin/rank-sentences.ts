/** A spoken sentence and its words, without stop words such as “the”. */
export type SentenceCandidate = { text: string; words: ReadonlySet<string> }

const STOP_WORDS = new Set(
  `a about after again all also am an and any are as at be because been before being but by can could did do does
  done for from get go going good got had has have he her here him his how i if in into is it its just know let like
  made make me might mm more most much my need no not now of off oh ok okay on one only or other our out over own
  please put really right said same say see she should so some something such take than thank thanks that the their
  them then there these they thing things think this those through to too uh um up us very want was way we well were
  what when where which while who why will with would yeah yes yet you your`.split(/\s+/),
)
/** Every pair of sentences is compared, so only this many of the longest sentences are considered. */
const MAX_CANDIDATES = 300
const MIN_WORDS = 4
const ITERATIONS = 20
const DAMPING = 0.85
/** Weight of the similarity to already picked sentences, against the weight of the sentence's own score. */
const REDUNDANCY_PENALTY = 0.6

export function toSentenceCandidate(text: string): SentenceCandidate {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’-]+/gu) ?? []
  return { text, words: new Set(words.filter((word) => !STOP_WORDS.has(word))) }
}

/**
 * Picks the most important sentences, in the order in which they were spoken. TextRank scores a sentence by the
 * sentences that share words with it. Maximal marginal relevance avoids picking two that say the same.
 */
export function pickSentences(sentences: readonly string[], count: number): string[] {
  const all = sentences.map(toSentenceCandidate)
  const candidates = all
    .filter(({ words }) => words.size >= MIN_WORDS)
    .toSorted((a, b) => b.words.size - a.words.size)
    .slice(0, MAX_CANDIDATES)
  const links = candidates.map((a) => candidates.map((b) => (a === b ? 0 : similarity(a, b))))
  const scores = rankByLinks(links)
  const picked: number[] = []
  while (picked.length < Math.min(count, candidates.length))
    picked.push(findBestIndex(scores, links, picked))
  const pickedCandidates = new Set(picked.map((index) => candidates[index]))
  return all.filter((candidate) => pickedCandidates.has(candidate)).map(({ text }) => text)
}

function rankByLinks(links: readonly number[][]): number[] {
  const totals = links.map((row) => row.reduce((sum, link) => sum + link, 0))
  let scores = links.map(() => 1)
  for (let round = 0; round < ITERATIONS; round += 1) {
    const before = scores
    scores = links.map((row) =>
      row.reduce((sum, link, other) => {
        const share = link === 0 ? 0 : link / (totals[other] ?? 1)
        return sum + DAMPING * share * (before[other] ?? 0)
      }, 1 - DAMPING),
    )
  }
  const highest = Math.max(...scores, 1e-9)
  return scores.map((score) => score / highest)
}

function findBestIndex(
  scores: number[],
  links: readonly number[][],
  picked: readonly number[],
): number {
  let bestIndex = -1
  let highestValue = -Infinity
  for (const [index, score] of scores.entries()) {
    if (picked.includes(index)) continue
    const overlap = Math.max(0, ...picked.map((other) => links[index]?.[other] ?? 0))
    const value = (1 - REDUNDANCY_PENALTY) * score - REDUNDANCY_PENALTY * overlap
    if (value <= highestValue) continue
    highestValue = value
    bestIndex = index
  }
  return bestIndex
}

function similarity(a: SentenceCandidate, b: SentenceCandidate): number {
  let shared = 0
  for (const word of a.words) if (b.words.has(word)) shared += 1
  return shared === 0 ? 0 : shared / (Math.log(a.words.size + 1) + Math.log(b.words.size + 1))
}
