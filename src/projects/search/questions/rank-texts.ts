/** A segment or passage with at least one term of the question. */
export type CandidateText = {
  /** The meeting or document that contains it. In one source, texts with consecutive numbers are neighbours. */
  sourceId: string
  number: number
  /** One bit for each term that the text contains. */
  termBits: number
  /** One bit for each term that the title of its meeting or document contains. */
  titleTermBits: number
  /** The number of different words. */
  length: number
  /** True if the question names the speaker. */
  isNamedSpeaker: boolean
}

/** How the surrounding texts add to a text's score: as in BM25, with their words at a lower frequency. */
type ContextLevel = {
  /** How many texts before and after are used. */
  reach: number
  /** The factors for each further text before and after. An answer more often follows the words of a question. */
  decayBefore: number
  decayAfter: number
  weight: number
  /** The BM25 parameters `k1` (how soon repetitions stop adding) and `b` (how much long texts lose). */
  saturation: number
  lengthPenalty: number
}

/** Tuned on the training and validation parts of QMSum; see `bench/recall.ts`. */
const SEGMENT_CONTEXT: readonly ContextLevel[] = [
  { reach: 0, decayBefore: 1, decayAfter: 1, weight: 1, saturation: 1.2, lengthPenalty: 0 },
  { reach: 5, decayBefore: 0.75, decayAfter: 0.4, weight: 1.4, saturation: 1.2, lengthPenalty: 0 },
  { reach: 30, decayBefore: 0.96, decayAfter: 0.9, weight: 0.6, saturation: 3, lengthPenalty: 0 },
]
/** A passage is a whole paragraph, so it needs less of its surroundings. */
const PASSAGE_CONTEXT: readonly ContextLevel[] = [
  { reach: 0, decayBefore: 1, decayAfter: 1, weight: 1.5, saturation: 1.2, lengthPenalty: 0.75 },
  { reach: 2, decayBefore: 0.5, decayAfter: 0.5, weight: 1, saturation: 1.2, lengthPenalty: 0.75 },
]
/** For each level, the shares of the texts from `reach` before to `reach` after. */
const SHARES = new Map(
  [...SEGMENT_CONTEXT, ...PASSAGE_CONTEXT].map((level) => [level, listShares(level)]),
)
const CONTEXT_BY_KIND = { segment: SEGMENT_CONTEXT, document: PASSAGE_CONTEXT }
/** These weights are factors of the weights of terms, and that of a named speaker and of the length of all terms. */
const TITLE_WEIGHT = 0.5
const NAMED_SPEAKER_WEIGHT = 1
/** For the logarithm of a text's length: a long text says more about its subject than "yes" or "right". */
const LENGTH_WEIGHT = 0.2

export type RankingInput<Text extends CandidateText> = {
  kind: keyof typeof CONTEXT_BY_KIND
  texts: readonly Text[]
  /** The weight of each term. Rare terms have more weight. */
  termWeights: readonly number[]
  averageLength: number
  /** True if the question only names a speaker, so that everything this person said is a result. */
  isOnlyNameAsked: boolean
}

function listShares({ reach, decayBefore, decayAfter }: ContextLevel): number[] {
  return Array.from({ length: 2 * reach + 1 }, (_, i) =>
    i < reach ? decayBefore ** (reach - i) : decayAfter ** (i - reach),
  )
}

/** Scores each text by its own terms and by the terms of the texts around it. */
export function scoreTexts<Text extends CandidateText>(
  input: RankingInput<Text>,
): Array<Text & { score: number }> {
  const scored: Array<Text & { score: number }> = []
  for (const texts of Map.groupBy(input.texts, ({ sourceId }) => sourceId).values()) {
    const inOrder = texts.toSorted((a, b) => a.number - b.number)
    for (const [index, text] of inOrder.entries()) {
      const score = scoreText(input, inOrder, index)
      if (score > 0) scored.push({ ...text, score })
    }
  }
  return scored
}

function scoreText<Text extends CandidateText>(
  input: RankingInput<Text>,
  texts: readonly Text[],
  index: number,
): number {
  const text = texts[index]
  if (text === undefined) return 0
  const { termWeights } = input
  // Neighbours only add to a text's own terms. A text without any is not an answer, unless a named speaker said it.
  if (!text.isNamedSpeaker && !hasWeightedTerm(input, text.termBits)) return 0
  const weightOfAllTerms = termWeights.reduce((sum, weight) => sum + weight, 0)
  const logLength = Math.log1p(text.length)
  let score = LENGTH_WEIGHT * logLength * weightOfAllTerms
  for (const level of CONTEXT_BY_KIND[input.kind])
    score += scoreInContext(input, level, texts, index)
  termWeights.forEach((weight, term) => {
    if (hasTerm(text.titleTermBits, term)) score += TITLE_WEIGHT * weight
  })
  if (!text.isNamedSpeaker) return score
  return score + NAMED_SPEAKER_WEIGHT * weightOfAllTerms + (input.isOnlyNameAsked ? logLength : 0)
}

function scoreInContext<Text extends CandidateText>(
  { termWeights, averageLength }: RankingInput<Text>,
  level: ContextLevel,
  texts: readonly Text[],
  index: number,
): number {
  const { reach, weight, saturation, lengthPenalty } = level
  const number = texts[index]?.number ?? 0
  // Tables and plain loops, because this runs for each of up to 5,000 texts.
  const shares = SHARES.get(level) ?? []
  const frequencies = new Float64Array(termWeights.length)
  const expectedLength = averageLength * shares.reduce((sum, share) => sum + share, 0)
  // A text with none of the terms is not known here, so it is assumed to have average length.
  let length = expectedLength
  let i = index
  while (i > 0 && number - (texts[i - 1]?.number ?? 0) <= reach) i -= 1
  for (; i < texts.length; i += 1) {
    const neighbour = texts[i]
    if (neighbour === undefined || neighbour.number - number > reach) break
    const share = shares[neighbour.number - number + reach] ?? 0
    length += share * (neighbour.length - averageLength)
    for (let bits = neighbour.termBits, term = 0; bits !== 0; bits >>>= 1, term += 1)
      if ((bits & 1) === 1) frequencies[term] = (frequencies[term] ?? 0) + share
  }
  const norm = saturation * (1 - lengthPenalty + (lengthPenalty * length) / expectedLength)
  return termWeights.reduce((sum, termWeight, term) => {
    const frequency = frequencies[term] ?? 0
    return sum + (weight * termWeight * frequency * (saturation + 1)) / (frequency + norm)
  }, 0)
}

function hasTerm(bits: number, term: number): boolean {
  return (bits & (1 << term)) !== 0
}

function hasWeightedTerm<Text extends CandidateText>(
  { termWeights }: RankingInput<Text>,
  bits: number,
): boolean {
  return termWeights.some((weight, term) => weight > 0 && hasTerm(bits, term))
}

/** The best texts. With `minDistance`, one text represents the texts around it in its source. */
export function pickBest<Text extends { sourceId: string; number: number }>(
  sorted: readonly Text[],
  limit: number,
  minDistance: (text: Text) => number,
): Text[] {
  const picked: Text[] = []
  const numbersBySource = new Map<string, number[]>()
  for (const text of sorted) {
    if (picked.length >= limit) break
    const numbers = numbersBySource.get(text.sourceId) ?? []
    if (numbers.some((number) => Math.abs(number - text.number) <= minDistance(text))) continue
    numbersBySource.set(text.sourceId, [...numbers, text.number])
    picked.push(text)
  }
  return picked
}
