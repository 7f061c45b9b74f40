/** A sentence somebody said, with the words that carry its meaning. */
export type SentenceCandidate = { text: string; words: ReadonlySet<string> }

const STOP_WORDS = new Set(
  `a about after again all also am an and any are as at be because been before being but by can could did do does
  done for from get go going good got had has have he her here him his how i if in into is it its just know let like
  made make me might mm more most much my need no not now of off oh ok okay on one only or other our out over own
  please put really right said same say see she should so some something such take than thank thanks that the their
  them then there these they thing things think this those through to too uh um up us very want was way we well were
  what when where which while who why will with would yeah yes yet you your`.split(/\s+/),
)
/** Comparing all with all: beyond this the longest are enough. */
const MAX_CANDIDATES = 300
const MIN_WORDS = 4
const ITERATIONS = 20
const DAMPING = 0.85
/** How much a sentence loses for saying what is said already. */
const REDUNDANCY_PENALTY = 0.6

export function toSentenceCandidate(text: string): SentenceCandidate {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’-]+/gu) ?? []
  return { text, words: new Set(words.filter((word) => !STOP_WORDS.has(word))) }
}

/**
 * The sentences that say most, in the order in which they were said. A sentence counts as much as those that share
 * words with it (TextRank); of two that say the same, one is taken (maximal marginal relevance).
 */
export function pickSentences(sentences: readonly string[], count: number): string[] {
  const all = sentences.map(toSentenceCandidate)
  const candidates = all
    .filter(({ words }) => words.size >= MIN_WORDS)
    .toSorted((a, b) => b.words.size - a.words.size)
    .slice(0, MAX_CANDIDATES)
  const links = candidates.map((a) => candidates.map((b) => (a === b ? 0 : similarity(a, b))))
  const scores = rankByLinks(links)
  const taken: number[] = []
  while (taken.length < Math.min(count, candidates.length))
    taken.push(findBest(scores, links, taken))
  const texts = new Set(taken.map((index) => candidates[index]))
  return all.filter((candidate) => texts.has(candidate)).map(({ text }) => text)
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

function findBest(scores: number[], links: readonly number[][], taken: readonly number[]): number {
  let found = -1
  let highest = -Infinity
  for (const [index, score] of scores.entries()) {
    if (taken.includes(index)) continue
    const repeated = Math.max(0, ...taken.map((other) => links[index]?.[other] ?? 0))
    const worth = (1 - REDUNDANCY_PENALTY) * score - REDUNDANCY_PENALTY * repeated
    if (worth <= highest) continue
    highest = worth
    found = index
  }
  return found
}

function similarity(a: SentenceCandidate, b: SentenceCandidate): number {
  let shared = 0
  for (const word of a.words) if (b.words.has(word)) shared += 1
  return shared === 0 ? 0 : shared / (Math.log(a.words.size + 1) + Math.log(b.words.size + 1))
}
