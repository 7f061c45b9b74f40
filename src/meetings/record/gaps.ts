import type { Db, Tx } from '../../db/database.ts'
import type { GapCause } from '../transcript/gap-causes.ts'
import { formatGap, type TranscriptGap } from '../transcript/source.ts'

/** A stored gap. Numbers start at 1 in each meeting. */
export type GapRow = TranscriptGap & { number: number; isReported: boolean }

/** Reads the gaps of a meeting that no official transcript covers, oldest first. */
export function readGaps(db: Db, meetingId: string): Promise<GapRow[]> {
  return db
    .selectFrom('transcript_gap')
    .select(['number', 'cause', 'started_at as startedAt', 'ended_at as endedAt'])
    .select(['after_segment as afterSegment', 'is_reported as isReported'])
    .where('meeting_id', '=', meetingId)
    .where('is_filled', '=', false)
    .orderBy('number')
    .execute()
}

/** Starts a gap at the end of the transcript without the meeting's writer. The caller must hold the meeting's lock. */
export async function startGapWithoutWriter(
  tx: Tx,
  meetingId: string,
  cause: GapCause,
  startedAt: Date,
): Promise<void> {
  const gaps = await readGaps(tx, meetingId)
  if (gaps.at(-1)?.endedAt === null) return
  const { segment_count: afterSegment } = await tx
    .selectFrom('meeting')
    .select('segment_count')
    .where('id', '=', meetingId)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('transcript_gap')
    .values({
      meeting_id: meetingId,
      number: gaps.length + 1,
      cause,
      started_at: startedAt,
      ended_at: null,
      after_segment: afterSegment,
    })
    .execute()
}

/** Ends an open gap because the meeting is over, and returns the gaps that no event has reported yet. */
export async function endOpenGapAndTakeUnreported(
  tx: Tx,
  meetingId: string,
  at: Date,
): Promise<TranscriptGap[]> {
  await tx
    .updateTable('transcript_gap')
    .set((eb) => ({ ended_at: eb.fn<Date>('greatest', ['started_at', eb.val(at)]) }))
    .where('meeting_id', '=', meetingId)
    .where('ended_at', 'is', null)
    .execute()
  const gaps = (await readGaps(tx, meetingId)).filter(({ isReported }) => !isReported)
  await tx
    .updateTable('transcript_gap')
    .set({ is_reported: true })
    .where('meeting_id', '=', meetingId)
    .where('is_reported', '=', false)
    .execute()
  return gaps
}

/** The event fields for the gaps before it. Empty if there are none. */
export function toEventGapFields(gaps: readonly TranscriptGap[]) {
  if (gaps.length === 0) return {}
  return {
    gaps: gaps.map(({ cause, startedAt, endedAt, afterSegment }) => ({
      cause,
      startedAt: startedAt.toISOString(),
      endedAt: (endedAt ?? startedAt).toISOString(),
      afterSegmentNumber: afterSegment,
      text: formatGap({ cause, startedAt, endedAt, afterSegment }),
    })),
  }
}

/** A meeting's gaps that its writer still has to end or report. */
export type PendingGaps = ReturnType<typeof createPendingGaps>

export function createPendingGaps(stored: readonly GapRow[]) {
  let rows = stored.filter(({ isReported }) => !isReported)
  let count = stored.length
  const isOpen = () => rows.at(-1)?.endedAt === null
  const replaceLast = (row: GapRow): GapRow => {
    rows = [...rows.slice(0, -1), row]
    return row
  }
  const start = (cause: GapCause, startedAt: Date, afterSegment: number): GapRow | null => {
    if (isOpen()) return null
    count += 1
    const row = {
      number: count,
      cause,
      startedAt,
      endedAt: null,
      afterSegment,
      isReported: false,
    }
    rows.push(row)
    return row
  }
  const end = (endedAt: Date): GapRow | null => {
    const open = rows.at(-1)
    if (open?.endedAt !== null) return null
    return replaceLast({ ...open, endedAt: endedAt < open.startedAt ? open.startedAt : endedAt })
  }
  return {
    /** The cause of the open gap; null if no gap is open. */
    openCause: () => (isOpen() ? (rows.at(-1)?.cause ?? null) : null),
    /** Starts a gap and returns its row. If a gap is already open, that one continues and the result is null. */
    start,
    /**
     * Adds a gap that is over, and returns its row. If nothing was recorded since the previous gap, extends that one. If
     * a gap is open, that one starts earlier where necessary; null if nothing changes.
     */
    add(cause: GapCause, startedAt: Date, endedAt: Date, afterSegment: number): GapRow | null {
      const last = rows.at(-1)
      if (last?.endedAt === null)
        return startedAt < last.startedAt ? replaceLast({ ...last, startedAt }) : null
      if (last?.cause === cause && last.afterSegment === afterSegment)
        return replaceLast({
          ...last,
          startedAt: startedAt < last.startedAt ? startedAt : last.startedAt,
          endedAt: endedAt > last.endedAt ? endedAt : last.endedAt,
        })
      start(cause, startedAt, afterSegment)
      return end(endedAt)
    },
    /** Ends the open gap and returns its row; null if no gap is open. */
    end,
    /**
     * Returns the unreported gaps before new segments, and all rows that change because of the segments. A segment ends
     * an open gap, because it was recorded. If it started before the gap, it was only delayed, and the gap continues
     * after the segments.
     */
    takeBeforeSegments(
      segments: ReadonlyArray<{ startedAt: number }>,
      at: Date,
    ): { before: GapRow[]; changed: GapRow[] } {
      const startedAt = new Date(segments[0]?.startedAt ?? at)
      const open = rows.at(-1)
      if (open?.endedAt !== null || startedAt >= open.startedAt) {
        end(startedAt)
        return { before: rows, changed: markReported(rows) }
      }
      const before = rows.slice(0, -1)
      const moved = { ...open, afterSegment: open.afterSegment + segments.length }
      rows = [...before, moved]
      return { before, changed: [...markReported(before), moved] }
    },
    /** Removes all ended gaps after an event has reported them. */
    clearEnded() {
      rows = rows.filter(({ endedAt }) => endedAt === null)
    },
  }
}

function markReported(gaps: readonly GapRow[]): GapRow[] {
  return gaps.map((gap) => ({ ...gap, isReported: true }))
}
