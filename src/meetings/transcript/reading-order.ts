import type {
  TranscriptContent,
  TranscriptEntry,
  TranscriptGap,
  TranscriptSegment,
} from './source.ts'

/**
 * A segment that started this much earlier than the one before it did not overlap with it: the clock was set back. A
 * segment becomes final far sooner after its start.
 */
const MAX_OVERLAP_MS = 120_000

/**
 * Sorts segments by start time; those that started together stay in the order in which they became final. Text from
 * before and after the clock was set back stays in the order in which it was said.
 */
export function sortByStart<S extends TranscriptSegment>(segments: readonly S[]): S[] {
  return splitWhereClockWasSetBack(segments).flatMap((block) =>
    block.toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime() || a.number - b.number),
  )
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
 * The segments of a transcript with the gaps between them. A gap at the end appears once the meeting is over: before
 * that it may last, and the document only grows with segments.
 */
export function* insertGapsBetweenSegments({
  segments,
  gaps,
  endedAt,
}: Pick<TranscriptContent, 'segments' | 'gaps' | 'endedAt'>): Generator<TranscriptEntry> {
  const left: TranscriptGap[] = [...gaps]
  for (const segment of segments) {
    for (let gap = left[0]; gap && gap.afterSegment < segment.number; gap = left[0]) {
      left.shift()
      yield gap
    }
    yield segment
  }
  if (endedAt !== null) yield* left
}
