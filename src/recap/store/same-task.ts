import type { RecapAction } from '../recap.ts'
import type { StoredActionItem } from './merge-action-items.ts'

/** The share of words that two texts about the same task have in common at least. */
const MIN_WORD_OVERLAP = 0.5
/** The same for texts from different parts of a meeting, where similar tasks are often different ones. */
const MIN_WORD_OVERLAP_FAR_APART = 0.8
/** Fewer words are too few to recognise a task by them alone. */
const MIN_WORDS_FAR_APART = 4
/** A task is often named in one segment and accepted in one of the next. */
const MAX_NEAR_SEGMENTS = 2
/** Words count as equal by their first letters, so that other endings do not matter. */
const WORD_START_LENGTH = 5

/**
 * How likely a found action is the task of a stored item; 0 if it is not. Rules quote what was said and a model rephrases
 * it, so the same task has other words and sometimes cites a neighbouring segment.
 */
export function scoreSameTask(item: StoredActionItem, action: RecapAction): number {
  const words = toWordStarts(action.text)
  const overlap = Math.max(
    calculateOverlap(toWordStarts(item.foundText), words),
    calculateOverlap(toWordStarts(item.text), words),
  )
  const distance = calculateSegmentDistance(item.segmentNumbers, action.segmentNumbers)
  const isOverlapEnough = overlap >= MIN_WORD_OVERLAP
  if (distance === 0 && isOverlapEnough) return 3 + overlap
  if (item.foundOwner !== null && action.owner !== null && item.foundOwner !== action.owner)
    return 0
  if (distance <= MAX_NEAR_SEGMENTS && distance > 0 && isOverlapEnough) return 2 + overlap
  // One segment seldom has two tasks of one person, so the words may be entirely different.
  if (distance === 0) return 1 + overlap
  const isFarMatch = overlap >= MIN_WORD_OVERLAP_FAR_APART && words.size >= MIN_WORDS_FAR_APART
  return isFarMatch ? overlap : 0
}

/** How far the nearest segments of two lists are apart; 0 when they share one. The numbers of each list increase. */
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

/** The share of the shorter text that is in the longer one: a model shortens what the rules quote. */
function calculateOverlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shorter = Math.min(a.size, b.size)
  if (shorter === 0) return a.size === b.size ? 1 : 0
  return [...a].filter((word) => b.has(word)).length / shorter
}
