import type { Db, Tx } from '../../db/database.ts'
import type { GapCause } from '../transcript/gap-causes.ts'
import { formatGap, type TranscriptGap } from '../transcript/source.ts'

/** A stored gap. Gaps of a meeting are numbered from 1. */
export type GapRow = TranscriptGap & { number: number; isReported: boolean }

/** Reads the gaps of a meeting, oldest first. */
export function readGaps(db: Db, meetingId: string): Promise<GapRow[]> {
  return db
    .selectFrom('transcript_gap')
    .select(['number', 'cause', 'started_at as startedAt', 'ended_at as endedAt'])
    .select(['after_segment as afterSegment', 'is_reported as isReported'])
    .where('meeting_id', '=', meetingId)
    .orderBy('number')
    .execute()
}

/** Starts a gap at the end of the transcript, without the writer of the meeting. The caller has locked the meeting. */
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

/** The fields of an event about the gaps before it; none when there are no gaps. */
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

/** The gaps of a meeting that its writer still has to end or to report. */
export interface PendingGaps {
  /** The cause of the open gap; null when no gap is open. */
  openCause(): GapCause | null
  /** Starts a gap and returns its row; null when a gap is already open, which then continues. */
  start(cause: GapCause, startedAt: Date, afterSegment: number): GapRow | null
  /**
   * Adds a gap that is over, and returns its row. It extends the gap before it if nothing was recorded in between. A gap
   * that is open then begins with it if it began earlier; null when that changes nothing.
   */
  add(cause: GapCause, startedAt: Date, endedAt: Date, afterSegment: number): GapRow | null
  /** Ends the open gap and returns its row; null when no gap is open. */
  end(endedAt: Date): GapRow | null
  /**
   * The gaps before new segments that no event has reported yet, and all rows that change because of the segments. A
   * segment ends an open gap, because it was recorded. If it started before the gap, it was only delayed: then the gap
   * continues after the segments.
   */
  takeBeforeSegments(
    segments: ReadonlyArray<{ startedAt: number }>,
    at: Date,
  ): { before: GapRow[]; changed: GapRow[] }
  /** Forgets all ended gaps after an event has reported them. */
  clearEnded(): void
}

export function createPendingGaps(stored: readonly GapRow[]): PendingGaps {
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
    openCause: () => (isOpen() ? (rows.at(-1)?.cause ?? null) : null),
    start,
    add(cause, startedAt, endedAt, afterSegment) {
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
    end,
    takeBeforeSegments(segments, at) {
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
    clearEnded() {
      rows = rows.filter(({ endedAt }) => endedAt === null)
    },
  }
}

function markReported(gaps: readonly GapRow[]): GapRow[] {
  return gaps.map((gap) => ({ ...gap, isReported: true }))
}
