/** Spoken text, with the wall-clock times of its first and last words. */
export type Utterance = { speaker: string; text: string; fromMs: number; toMs: number }
/** A segment of a transcript, with the wall-clock time of its first words. */
export type RecordedSegment = { speaker: string; text: string; atMs: number }
export type RecordedGap = { fromMs: number; toMs: number }

export type WordCounts = {
  said: number
  /** Lost words of utterances that touch a gap. No bot attended the meeting while they were said. */
  lostInGaps: number
  /** Words that were lost although the transcript claims to be complete there. */
  lostOutside: number
  /** Words that the transcript contains more often than they were said. */
  doubled: number
  /** Segments before one that was said earlier. */
  outOfOrder: number
}

export const NO_WORDS: WordCounts = {
  said: 0,
  lostInGaps: 0,
  lostOutside: 0,
  doubled: 0,
  outOfOrder: 0,
}

/**
 * Compares the segments of a transcript, in their order, with what was said. `slackMs` allows for the difference
 * between the clocks of the script and of the meeting. A segment that could be part of several utterances belongs to
 * the one that was said closest to its time.
 */
export function countWords(
  said: readonly Utterance[],
  segments: readonly RecordedSegment[],
  gaps: readonly RecordedGap[],
  slackMs: number,
  onWrong: (utterance: Utterance, problem: 'lost' | 'doubled') => void = () => undefined,
): WordCounts {
  const counts = { ...NO_WORDS }
  const foundWords = said.map(() => 0)
  let newest = -1
  for (const segment of segments) {
    const at = findUtterance(said, segment)
    if (at === -1) continue
    foundWords[at] = (foundWords[at] ?? 0) + wordCount(segment.text)
    if (at < newest) counts.outOfOrder += 1
    newest = Math.max(newest, at)
  }
  for (const [i, utterance] of said.entries()) {
    const { text, fromMs, toMs } = utterance
    const words = wordCount(text)
    const missing = words - (foundWords[i] ?? 0)
    counts.said += words
    if (missing < 0) {
      counts.doubled -= missing
      onWrong(utterance, 'doubled')
    }
    if (missing <= 0) continue
    const isInGap = gaps.some((gap) => fromMs <= gap.toMs + slackMs && toMs >= gap.fromMs - slackMs)
    counts[isInGap ? 'lostInGaps' : 'lostOutside'] += missing
    if (!isInGap) onWrong(utterance, 'lost')
  }
  return counts
}

/** The index of the utterance that the segment is part of, or that it contains; -1 if there is none. */
function findUtterance(
  said: readonly Utterance[],
  { speaker, text, atMs }: RecordedSegment,
): number {
  let found = -1
  let foundMs = Infinity
  for (const [i, utterance] of said.entries()) {
    if (utterance.speaker !== speaker) continue
    if (!utterance.text.includes(text) && !text.includes(utterance.text)) continue
    const awayMs = Math.max(utterance.fromMs - atMs, atMs - utterance.toMs, 0)
    if (awayMs >= foundMs) continue
    found = i
    foundMs = awayMs
  }
  return found
}

export function addWordCounts(a: WordCounts, b: WordCounts): WordCounts {
  const names = Object.keys(NO_WORDS) as Array<keyof WordCounts>
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as WordCounts
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length
}
