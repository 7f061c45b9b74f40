/** A task, decision, question or sentence of a recap, as it is compared with those of another recap. */
export type ComparedStatement = {
  /** The current text and, if a person changed it, the original one. Any of them may match. */
  texts: readonly string[]
  /** The owner or speaker. Null if unknown. */
  person: string | null
  /** In increasing order. */
  segmentNumbers: readonly number[]
  /** True if a found statement must have common words with this one, even if both cite the same segment. */
  needsCommonWords?: boolean
}

/** A statement with the words of each of its texts. */
type PreparedStatement = ComparedStatement & { words: ReadonlyArray<ReadonlySet<string>> }

/** The minimum share of common words in two texts that say the same. */
const MIN_WORD_OVERLAP = 0.5
/** The same for texts from distant parts of a meeting, where similar statements are often different ones. */
const MIN_WORD_OVERLAP_FAR_APART = 0.8
/** Fewer words are not enough to recognize a statement by words alone. */
const MIN_WORDS_FAR_APART = 4
/** A task is often named in one segment and accepted in one of the next. */
const MAX_NEAR_SEGMENTS = 2
/** Words are equal if their first letters are, so that different endings do not matter. */
const WORD_START_LENGTH = 5

/**
 * Recognizes stored statements in a new recap. Returns the index of the stored statement for each found one, by its
 * index. The most similar pairs are matched first.
 */
export function matchStatements(
  stored: readonly ComparedStatement[],
  found: readonly ComparedStatement[],
): Map<number, number> {
  const preparedStored = stored.map(prepare)
  const preparedFound = found.map(prepare)
  const pairs = preparedStored.flatMap((one, storedIndex) =>
    preparedFound.map((other, foundIndex) => ({
      storedIndex,
      foundIndex,
      score: scoreSameStatement(one, other),
    })),
  )
  const matches = new Map<number, number>()
  const used = new Set<number>()
  const similar = pairs.filter(({ score }) => score > 0)
  for (const { storedIndex, foundIndex } of similar.toSorted((a, b) => b.score - a.score)) {
    if (matches.has(foundIndex) || used.has(storedIndex)) continue
    matches.set(foundIndex, storedIndex)
    used.add(storedIndex)
  }
  return matches
}

function prepare(statement: ComparedStatement): PreparedStatement {
  return { ...statement, words: [...new Set(statement.texts)].map(toWordStarts) }
}

/**
 * How likely two statements are the same; 0 if they are not. Rules quote what was said and a model rephrases it, so the
 * same statement has other words and sometimes cites a neighbouring segment.
 */
function scoreSameStatement(stored: PreparedStatement, found: PreparedStatement): number {
  const distance = calculateSegmentDistance(stored.segmentNumbers, found.segmentNumbers)
  const foundWords = found.words[0] ?? new Set<string>()
  const overlap = Math.max(...stored.words.map((words) => calculateOverlap(words, foundWords)))
  const isOverlapEnough = overlap >= MIN_WORD_OVERLAP
  if (distance === 0 && isOverlapEnough) return 3 + overlap
  if (stored.person !== null && found.person !== null && stored.person !== found.person) return 0
  if (distance <= MAX_NEAR_SEGMENTS && distance > 0 && isOverlapEnough) return 2 + overlap
  // A segment seldom has two statements of one kind by one person, so the words may be entirely different.
  if (distance === 0) return stored.needsCommonWords === true ? 0 : 1 + overlap
  const isFarMatch = overlap >= MIN_WORD_OVERLAP_FAR_APART && foundWords.size >= MIN_WORDS_FAR_APART
  return isFarMatch ? overlap : 0
}

/** The distance between the nearest segments of two lists; 0 if they share one. Both lists are in increasing order. */
function calculateSegmentDistance(a: readonly number[], b: readonly number[]): number {
  let distance = Infinity
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const difference = (a[i] ?? 0) - (b[j] ?? 0)
    distance = Math.min(distance, Math.abs(difference))
    if (difference < 0) i += 1
    else j += 1
  }
  return distance
}

function toWordStarts(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.map((word) => word.slice(0, WORD_START_LENGTH)))
}

/** The share of the shorter text that is in the longer one, because a model shortens what the rules quote. */
function calculateOverlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shorter = Math.min(a.size, b.size)
  if (shorter === 0) return a.size === b.size ? 1 : 0
  let common = 0
  for (const word of a) if (b.has(word)) common += 1
  return common / shorter
}
