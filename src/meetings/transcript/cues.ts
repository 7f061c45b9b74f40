import { cleanInline } from './markdown-text.ts'
import {
  segmentOffsetMs,
  displaySpeaker,
  type TranscriptSegment,
  type TranscriptSource,
} from './source.ts'

/** A segment on the screen: for how long, and the cleaned words. */
export type Cue = { number: number; startMs: number; endMs: number; speaker: string; text: string }

const MIN_CUE_MS = 1000
const CHARS_PER_SECOND = 15

/**
 * The cues of a transcript in the order of time. A cue stays until the next begins, but not longer than its
 * words take and not shorter than a second; where people talk at once, the next one waits, so that no two
 * overlap.
 */
export function* buildCues({
  segments,
  startedAt,
}: Pick<TranscriptSource, 'segments' | 'startedAt'>): Generator<Cue> {
  // By time, as a speaker who began earlier may have finished later.
  const spoken = segments
    .filter(({ text }) => cleanInline(text) !== '')
    .toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
  let freeFrom = 0
  for (const [index, segment] of spoken.entries()) {
    const text = cleanInline(segment.text)
    const next = spoken[index + 1]
    const startMs = Math.max(segmentOffsetMs(segment, startedAt), freeFrom)
    const endMs = startMs + cueDurationMs(text, msUntilNext(next, startedAt, startMs))
    yield { number: segment.number, startMs, endMs, speaker: displaySpeaker(segment), text }
    freeFrom = endMs
  }
}

function msUntilNext(next: TranscriptSegment | undefined, startedAt: Date, fromMs: number): number {
  return next === undefined ? Infinity : segmentOffsetMs(next, startedAt) - fromMs
}

function cueDurationMs(text: string, untilNextMs: number): number {
  const toReadMs = Math.ceil((text.length * 1000) / CHARS_PER_SECOND)
  return Math.max(MIN_CUE_MS, Math.min(toReadMs, untilNextMs))
}
