import { cleanInlineText } from './markdown-text.ts'
import {
  calculateSegmentOffsetMs,
  formatDisplaySpeaker,
  type TranscriptSegment,
  type TranscriptContent,
} from './source.ts'

/** A subtitle: the cleaned words of one segment and when they are shown, in milliseconds since the meeting started. */
export type Cue = { number: number; startMs: number; endMs: number; speaker: string; text: string }

const MIN_CUE_MS = 1000
const CHARS_PER_SECOND = 15

/**
 * The cues of a transcript, sorted by time and without overlaps. A cue lasts until the next one starts, but at least a
 * second and not longer than its words take to read. When speakers overlap, the later cue is delayed.
 */
export function* buildCues({
  segments,
  startedAt,
}: Pick<TranscriptContent, 'segments' | 'startedAt'>): Generator<Cue> {
  // Segments are in the order in which they became final, so they are sorted by start time here.
  const spoken = segments
    .filter(({ text }) => cleanInlineText(text) !== '')
    .toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
  let freeFrom = 0
  for (const [index, segment] of spoken.entries()) {
    const text = cleanInlineText(segment.text)
    const next = spoken[index + 1]
    const startMs = Math.max(calculateSegmentOffsetMs(segment, startedAt), freeFrom)
    const endMs = startMs + cueDurationMs(text, msUntilNext(next, startedAt, startMs))
    yield { number: segment.number, startMs, endMs, speaker: formatDisplaySpeaker(segment), text }
    freeFrom = endMs
  }
}

function msUntilNext(next: TranscriptSegment | undefined, startedAt: Date, fromMs: number): number {
  return next === undefined ? Infinity : calculateSegmentOffsetMs(next, startedAt) - fromMs
}

function cueDurationMs(text: string, untilNextMs: number): number {
  const toReadMs = Math.ceil((text.length * 1000) / CHARS_PER_SECOND)
  return Math.max(MIN_CUE_MS, Math.min(toReadMs, untilNextMs))
}
