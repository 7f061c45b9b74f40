import { UNKNOWN_SPEAKER } from '../../language/person-names.ts'
import type { SegmentSource } from '../captions/segment-sources.ts'
import { formatGapText, type GapCause } from './gap-causes.ts'
import { cleanInlineText } from './markdown-text.ts'

/** A final segment. `startedAt` is when the speaker began to say it. */
export type TranscriptSegment = {
  number: number
  speaker: string
  text: string
  startedAt: Date
  /** True if words before or inside the text are missing. */
  isIncomplete?: boolean
  /** Absent where it does not matter. */
  source?: SegmentSource
}

/** A time during the meeting when nothing was recorded. */
export type TranscriptGap = {
  cause: GapCause
  startedAt: Date
  /** Null while the gap lasts. */
  endedAt: Date | null
  /** The number of the last segment before the gap; 0 if there is none. */
  afterSegment: number
}

export type TranscriptEntry = TranscriptSegment | TranscriptGap

export type TranscriptChatMessage = { author: string; text: string; at: Date }

export type TranscriptInsight = { category: string; text: string; segmentNumbers: number[] }

/** Everything that is needed to write a transcript in any format. */
export type TranscriptContent = {
  title: string
  platform: string
  startedAt: Date
  endedAt: Date | null
  participants: string[]
  /** In reading order; see `readTranscript`. */
  segments: readonly TranscriptSegment[]
  /** Oldest first. */
  gaps: readonly TranscriptGap[]
  insights: readonly TranscriptInsight[]
}

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * If a segment started this much earlier than the previous one, they did not overlap: the clock was set back. A segment
 * becomes final far sooner than this after its start.
 */
const MAX_OVERLAP_MS = 120_000

export function formatDisplayTitle(title: string): string {
  return visibleText(title) || 'Untitled'
}

/** The speaker's name as all transcript formats show it: one line, trimmed, never empty. */
export function formatDisplaySpeaker(segment: { speaker: string }): string {
  return visibleText(segment.speaker) || UNKNOWN_SPEAKER
}

/** Milliseconds from the start of the meeting to the segment; 0 if the segment is from before the start. */
export function calculateSegmentOffsetMs(
  segment: { startedAt: Date },
  meetingStartedAt: Date,
): number {
  return Math.max(0, segment.startedAt.getTime() - meetingStartedAt.getTime())
}

/** Formats milliseconds since the start of the meeting as `HH:MM:SS`. */
export function formatMeetingOffset(offsetMs: number): string {
  const seconds = Math.floor(offsetMs / 1000)
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':')
}

/** Written in front of the text of a segment that lacks words. */
export const WORDS_MISSING = 'words missing'

export function isGap(entry: TranscriptEntry): entry is TranscriptGap {
  return 'cause' in entry
}

/** What a transcript shows in place of a gap, such as `1 min 5 s not recorded: Hansard restarted`. */
export function formatGap(gap: TranscriptGap): string {
  const startMs = gap.startedAt.getTime()
  return formatGapText({ cause: gap.cause, startMs, endMs: startMs + gapDurationMs(gap) })
}

export function gapDurationMs({ startedAt, endedAt }: TranscriptGap): number {
  return (endedAt ?? startedAt).getTime() - startedAt.getTime()
}

/** An insight as readers see it: a readable category, and the times of the segments it is based on. */
export type DisplayInsight = { category: string; text: string; times: string[] }

export function* listDisplayInsights(source: TranscriptContent): Generator<DisplayInsight> {
  const wanted = new Set(source.insights.flatMap(({ segmentNumbers }) => segmentNumbers))
  const times = new Map(
    source.segments
      .filter(({ number }) => wanted.has(number))
      .map((segment) => [
        segment.number,
        formatMeetingOffset(calculateSegmentOffsetMs(segment, source.startedAt)),
      ]),
  )
  for (const { category, text, segmentNumbers } of source.insights) {
    yield {
      category: toCategoryLabel(category),
      text: cleanInlineText(text),
      times: [...new Set(segmentNumbers.flatMap((number) => times.get(number) ?? []))],
    }
  }
}

function toCategoryLabel(category: string): string {
  const words = visibleText(category.replaceAll('_', ' ')) || 'Insight'
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function visibleText(text: string): string {
  const clean = cleanInlineText(text).trim()
  return VISIBLE.test(clean) ? clean : ''
}

/**
 * Sorts segments by start time. Segments that started together stay in the order in which they became final. Text from
 * before and after the clock was set back stays in the order in which it was said.
 */
export function sortByStart<S extends TranscriptSegment>(segments: readonly S[]): S[] {
  const attended = splitWhereClockWasSetBack(segments.filter((segment) => !isOfficial(segment)))
  const official = segments.filter(isOfficial)
  return insertByStart(attended.flatMap(sortBlock), sortBlock(official))
}

/** An official line comes from the clock of the platform, and is numbered after all lines of the bot. */
function isOfficial({ source }: TranscriptSegment): boolean {
  return source === 'official'
}

function sortBlock<S extends TranscriptSegment>(block: readonly S[]): S[] {
  return block.toSorted(
    (a, b) => a.startedAt.getTime() - b.startedAt.getTime() || a.number - b.number,
  )
}

function insertByStart<S extends TranscriptSegment>(segments: S[], sorted: readonly S[]): S[] {
  if (sorted.length === 0) return segments
  let next = 0
  const merged = segments.flatMap((segment) => {
    const from = next
    while ((sorted[next]?.startedAt ?? Infinity) < segment.startedAt) next += 1
    return [...sorted.slice(from, next), segment]
  })
  return [...merged, ...sorted.slice(next)]
}

function splitWhereClockWasSetBack<S extends TranscriptSegment>(segments: readonly S[]): S[][] {
  const blocks: S[][] = []
  let latest = Infinity
  for (const segment of segments) {
    const startMs = segment.startedAt.getTime()
    const last = blocks.at(-1)
    if (last === undefined || startMs < latest - MAX_OVERLAP_MS) {
      blocks.push([segment])
      latest = startMs
    } else {
      last.push(segment)
      latest = Math.max(latest, startMs)
    }
  }
  return blocks
}

/**
 * A transcript's segments with the gaps between them. A gap at the end appears only after the meeting: before that it
 * may still grow, and the document only grows with segments.
 */
export function* insertGapsBetweenSegments({
  segments,
  gaps,
  endedAt,
}: Pick<TranscriptContent, 'segments' | 'gaps' | 'endedAt'>): Generator<TranscriptEntry> {
  const left: TranscriptGap[] = [...gaps]
  for (const segment of segments) {
    for (let gap = left[0]; gap && isBefore(gap, segment); gap = left[0]) {
      left.shift()
      yield gap
    }
    yield segment
  }
  if (endedAt !== null) yield* left
}

function isBefore(gap: TranscriptGap, segment: TranscriptSegment): boolean {
  if (isOfficial(segment)) return gap.startedAt <= segment.startedAt
  return gap.afterSegment < segment.number
}
