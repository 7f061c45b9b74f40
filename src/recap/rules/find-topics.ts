import { shortenToOneLine } from '../../language/clean-text.ts'
import type { RecapTopic } from '../recap.ts'
import type { PreparedMeeting } from './prepared-meeting.ts'
import { listContentWords, stopWordsOf, type ContentWord } from '../../language/words.ts'

const TITLE_WORDS = 3
const MAX_TITLE_CHARS = 80

/** How many segments before and after a gap are compared. */
const WINDOW = 8
/** A topic has at least this many segments. */
const MIN_TOPIC_SEGMENTS = 8
const MAX_TOPICS = 12
/** How much a phrase such as "next point" adds to the depth of a gap. */
const TOPIC_CHANGE_DEPTH = 0.5

/** Divides the meeting by lexical cohesion, and names each part after its most characteristic words. */
export function findTopics({ segments, language, rules, people }: PreparedMeeting): RecapTopic[] {
  const stopWords = stopWordsOf(language)
  const words = segments.map(({ text }) => listContentWords(text, stopWords, people.isNameWord))
  if (words.every((list) => list.length === 0)) return []
  const starts = findTopicStarts(
    words.map((list) => list.map(({ stem }) => stem)),
    (index) =>
      segments[index]?.sentences.some(({ folded }) => rules?.topicChange.test(folded)) === true,
  )
  const parts = starts.map((start, i) => ({ start, end: starts[i + 1] ?? segments.length }))
  const titles = nameParts(
    parts.map(({ start, end }) => {
      // A word that one person repeats in a turn is not more characteristic than another one.
      const all = words.slice(start, end).flatMap(onePerStem)
      // In German, nouns make better titles, and they begin with a capital letter.
      const nouns = language === 'de' ? all.filter(({ text }) => /^\p{Lu}/u.test(text)) : []
      return nouns.length > 0 ? nouns : all
    }),
  )
  return parts.flatMap(({ start, end }, i) => {
    const [first, last] = [segments[start], segments[end - 1]]
    if (first === undefined || last === undefined) return []
    return [
      {
        title: titles[i] ?? '',
        startMs: first.startMs,
        endMs: last.endMs,
        firstSegmentNumber: first.number,
        lastSegmentNumber: last.number,
      },
    ]
  })
}

function onePerStem(words: readonly ContentWord[]): ContentWord[] {
  return [...new Map(words.map((word) => [word.stem, word])).values()]
}

type WordCount = { count: number; forms: Map<string, number>; first: number }

function nameParts(parts: ReadonlyArray<readonly ContentWord[]>): string[] {
  const counted = parts.map(countWordForms)
  const partsWith = new Map<string, number>()
  for (const counts of counted) {
    for (const stem of counts.keys()) partsWith.set(stem, (partsWith.get(stem) ?? 0) + 1)
  }
  return counted.map((counts) => {
    const best = [...counts]
      .map(([stem, word]) => ({
        ...word,
        score: word.count * Math.log(1 + parts.length / (partsWith.get(stem) ?? 1)),
      }))
      .toSorted((a, b) => b.score - a.score || a.first - b.first)
      .slice(0, TITLE_WORDS)
      .filter(({ count }, rank) => rank === 0 || count > 1)
    const title = best.map(({ forms }) => mostFrequent(forms)).join(', ')
    const shown = shortenToOneLine(title, MAX_TITLE_CHARS)
    return shown.charAt(0).toUpperCase() + shown.slice(1)
  })
}

function countWordForms(words: readonly ContentWord[]): Map<string, WordCount> {
  const counts = new Map<string, WordCount>()
  for (const [position, { stem, text }] of words.entries()) {
    const word = counts.get(stem) ?? { count: 0, forms: new Map<string, number>(), first: position }
    word.count += 1
    word.forms.set(text, (word.forms.get(text) ?? 0) + 1)
    counts.set(stem, word)
  }
  return counts
}

function mostFrequent(forms: ReadonlyMap<string, number>): string {
  const [best] = [...forms].toSorted(([, a], [, b]) => b - a)
  return best?.[0] ?? ''
}

/**
 * TextTiling (Hearst, 1997): a topic starts at a gap between two segments where the words before and after differ more
 * than around it. Returns the positions of the topics' first segments, starting with 0.
 */
function findTopicStarts(
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

/** The cosine similarity of the words before and after each gap. Gap `i` is before segment `i + 1`. */
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
