/** Number of segments before and after a gap that are compared. */
const WINDOW = 8
/** A topic has at least this many segments. */
const MIN_TOPIC_SEGMENTS = 8
const MAX_TOPICS = 12
/** What a phrase such as "next point" adds to the depth of a gap. */
const TOPIC_CHANGE_DEPTH = 0.5

/**
 * TextTiling (Hearst, 1997): a topic begins where the words before and after a gap between two segments differ more
 * than around it. Returns the positions of the first segments of the topics, of which the first is 0.
 */
export function findTopicStarts(
  stemsOfSegments: ReadonlyArray<readonly string[]>,
  changesTopic: (segmentIndex: number) => boolean,
): number[] {
  const count = stemsOfSegments.length
  if (count < 2 * MIN_TOPIC_SEGMENTS) return count === 0 ? [] : [0]
  const cohesion = smooth(measureCohesion(stemsOfSegments))
  const depths = measureDepths(cohesion).map(
    (depth, gap) => depth + (changesTopic(gap + 1) ? TOPIC_CHANGE_DEPTH : 0),
  )
  const mean = depths.reduce((sum, depth) => sum + depth, 0) / depths.length
  const variance = depths.reduce((sum, depth) => sum + (depth - mean) ** 2, 0) / depths.length
  const threshold = mean + Math.sqrt(variance) / 2
  const minSegments = Math.max(MIN_TOPIC_SEGMENTS, Math.ceil(count / (2 * MAX_TOPICS)))
  const starts = new Set([0])
  const deepest = depths.map((depth, gap) => ({ depth, start: gap + 1 }))
  for (const { depth, start } of deepest.toSorted((a, b) => b.depth - a.depth)) {
    if (depth < threshold || starts.size >= MAX_TOPICS) break
    const isFarFromOthers = [...starts, count].every(
      (other) => Math.abs(other - start) >= minSegments,
    )
    if (isFarFromOthers) starts.add(start)
  }
  return [...starts].toSorted((a, b) => a - b)
}

/** The cosine similarity of the words before and after each gap. The gap `i` is before the segment `i + 1`. */
function measureCohesion(stemsOfSegments: ReadonlyArray<readonly string[]>): number[] {
  const before = new Map<string, number>()
  const after = new Map<string, number>()
  const add = (counts: Map<string, number>, segment: number, sign: 1 | -1) => {
    for (const stem of stemsOfSegments[segment] ?? []) {
      const next = (counts.get(stem) ?? 0) + sign
      if (next === 0) counts.delete(stem)
      else counts.set(stem, next)
    }
  }
  for (let segment = 0; segment < WINDOW; segment += 1) add(after, segment, 1)
  return Array.from({ length: stemsOfSegments.length - 1 }, (_, gap) => {
    add(before, gap, 1)
    add(before, gap - WINDOW, -1)
    add(after, gap, -1)
    add(after, gap + WINDOW, 1)
    return similarityOfCounts(before, after)
  })
}

function similarityOfCounts(
  a: ReadonlyMap<string, number>,
  b: ReadonlyMap<string, number>,
): number {
  let dot = 0
  for (const [stem, count] of a) dot += count * (b.get(stem) ?? 0)
  return dot === 0 ? 0 : dot / (lengthOf(a) * lengthOf(b))
}

function lengthOf(counts: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count * count
  return Math.sqrt(sum)
}

function smooth(values: readonly number[]): number[] {
  return values.map((value, i) => ((values[i - 1] ?? value) + value + (values[i + 1] ?? value)) / 3)
}

/** How far the cohesion rises on both sides of each gap. Each side is climbed once, in linear time. */
function measureDepths(cohesion: readonly number[]): number[] {
  const climb = (values: readonly number[]) => {
    const peaks: number[] = []
    for (const [i, value] of values.entries()) {
      const previous = values[i - 1] ?? value
      peaks.push(previous >= value ? Math.max(peaks[i - 1] ?? value, previous) : value)
    }
    return peaks
  }
  const left = climb(cohesion)
  const right = climb(cohesion.toReversed()).toReversed()
  return cohesion.map((value, i) => (left[i] ?? value) + (right[i] ?? value) - 2 * value)
}
