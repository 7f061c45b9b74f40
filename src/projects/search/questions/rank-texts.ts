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
  /** The factor for each further text. */
  decay: number
  weight: number
  /** The BM25 parameters `k1` (how soon repetitions stop adding) and `b` (how much long texts lose). */
  saturation: number
  lengthPenalty: number
}

/** Tuned on the training and validation parts of QMSum; see `bench/recall.ts`. */
const SEGMENT_CONTEXT: readonly ContextLevel[] = [
  { reach: 0, decay: 1, weight: 1, saturation: 1.2, lengthPenalty: 0.75 },
  { reach: 5, decay: 0.6, weight: 1, saturation: 1.2, lengthPenalty: 0.75 },
  { reach: 30, decay: 0.95, weight: 0.5, saturation: 3, lengthPenalty: 0 },
]
/** A passage is a whole paragraph, so it needs less of its surroundings. */
const PASSAGE_CONTEXT: readonly ContextLevel[] = [
  { reach: 0, decay: 1, weight: 1.5, saturation: 1.2, lengthPenalty: 0.75 },
  { reach: 2, decay: 0.5, weight: 1, saturation: 1.2, lengthPenalty: 0.75 },
]
const CONTEXT_BY_KIND = { segment: SEGMENT_CONTEXT, document: PASSAGE_CONTEXT }
const TITLE_WEIGHT = 0.5
const NAMED_SPEAKER_FACTOR = 3

export type RankingInput<Text extends CandidateText> = {
  kind: keyof typeof CONTEXT_BY_KIND
  texts: readonly Text[]
  /** The weight of each term. Rare terms have more weight. */
  termWeights: readonly number[]
  averageLength: number
  /** True if the question only names a speaker, so that everything this person said is a result. */
  isOnlyNameAsked: boolean
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
  let score = 0
  // Neighbours only add to a text's own terms. A text without any is not an answer, unless a named speaker said it.
  if (hasWeightedTerm(input, text.termBits))
    for (const level of CONTEXT_BY_KIND[input.kind])
      score += scoreInContext(input, level, texts, index)
  input.termWeights.forEach((weight, term) => {
    if (score > 0 && hasTerm(text.titleTermBits, term)) score += TITLE_WEIGHT * weight
  })
  if (!text.isNamedSpeaker) return score
  return score * NAMED_SPEAKER_FACTOR + (input.isOnlyNameAsked ? Math.log1p(text.length) : 0)
}

function scoreInContext<Text extends CandidateText>(
  { termWeights, averageLength }: RankingInput<Text>,
  { reach, decay, weight, saturation, lengthPenalty }: ContextLevel,
  texts: readonly Text[],
  index: number,
): number {
  const number = texts[index]?.number ?? 0
  const frequencies = termWeights.map(() => 0)
  let expectedLength = 0
  for (let distance = -reach; distance <= reach; distance += 1)
    expectedLength += decay ** Math.abs(distance) * averageLength
  // A text with none of the terms is not known here, so it is assumed to have average length.
  let length = expectedLength
  for (const neighbour of neighboursWithin(texts, index, reach)) {
    const share = decay ** Math.abs(neighbour.number - number)
    length += share * (neighbour.length - averageLength)
    for (const [term] of termWeights.entries())
      if (hasTerm(neighbour.termBits, term)) frequencies[term] = (frequencies[term] ?? 0) + share
  }
  const norm = saturation * (1 - lengthPenalty + (lengthPenalty * length) / expectedLength)
  return termWeights.reduce((sum, termWeight, term) => {
    const frequency = frequencies[term] ?? 0
    return sum + (weight * termWeight * frequency * (saturation + 1)) / (frequency + norm)
  }, 0)
}

/** The text itself, and texts at most `reach` numbers away. */
function* neighboursWithin<Text extends CandidateText>(
  texts: readonly Text[],
  index: number,
  reach: number,
): Generator<Text> {
  const number = texts[index]?.number ?? 0
  let first = index
  while (first > 0 && number - (texts[first - 1]?.number ?? 0) <= reach) first -= 1
  for (let i = first; i < texts.length; i += 1) {
    const text = texts[i]
    if (text === undefined || text.number - number > reach) return
    yield text
  }
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
