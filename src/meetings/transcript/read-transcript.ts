import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import type { SegmentSource } from '../captions/segment-sources.ts'
import type { Meeting } from '../meeting.ts'
import { readGaps } from '../record/gaps.ts'
import { findMeeting } from '../record/meeting-store.ts'
import {
  sortByStart,
  type TranscriptGap,
  type TranscriptSegment,
  type TranscriptContent,
} from './source.ts'

export type MeetingWithTranscript = {
  meeting: Meeting
  /** A range is in the order of the segment numbers, the whole transcript in reading order. */
  segments: readonly StoredSegment[]
  source: TranscriptContent
}

/** A segment and the source of its text. */
export type StoredSegment = TranscriptSegment & { source: SegmentSource }

/** At most `limit` segments with a number greater than `after`. By default all segments. */
export type TranscriptRange = { after?: number | undefined; limit?: number | undefined }

/**
 * Reads a meeting's transcript, or a range of it. After the meeting, segments are in the order of their start times;
 * while it is live, in the order in which they became final.
 */
export async function readTranscript(
  db: Db,
  meetingId: string,
  { after = 0, limit }: TranscriptRange = {},
): Promise<MeetingWithTranscript> {
  const meeting = await findMeeting(db, meetingId)
  if (meeting === null) throw new ServiceError('meeting_not_found')
  const rows = await db
    .selectFrom('segment')
    // The time is read as a number, because parsing 20,000 timestamps takes longer than the rest of the read.
    .select([
      'number',
      'speaker',
      'text',
      'source',
      'is_incomplete',
      sql<number>`extract(epoch from started_at)::float8`.as('at'),
    ])
    .where('meeting_id', '=', meetingId)
    .where('number', '>', after)
    .orderBy('number')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute()
  const numbered = rows.map(({ at, is_incomplete, ...row }): StoredSegment => ({
    ...row,
    startedAt: new Date(Math.round(at * 1000)),
    ...(is_incomplete && { isIncomplete: true }),
  }))
  const readable = meeting.endedAt === null ? numbered : sortByStart(numbered)
  const isRange = after > 0 || limit !== undefined
  const participants = await readParticipantNames(db, meetingId)
  const insights = await db
    .selectFrom('insight')
    .select(['category', 'text', 'segment_numbers as segmentNumbers'])
    .where('meeting_id', '=', meetingId)
    .orderBy('at')
    .execute()
  const source: TranscriptContent = {
    title: meeting.title ?? meeting.label,
    platform: meeting.platform,
    startedAt: meeting.startedAt,
    endedAt: meeting.endedAt,
    participants: [...new Set(participants)],
    segments: readable,
    gaps: gapsInRange(await readGaps(db, meetingId), after, limit === rows.length ? rows : null),
    insights,
  }
  return { meeting, segments: isRange ? numbered : readable, source }
}

/** When these segments of a meeting started, by segment number. */
export async function readSegmentStarts(
  db: Db,
  meetingId: string,
  numbers: readonly number[],
): Promise<Map<number, Date>> {
  const rows = await db
    .selectFrom('segment')
    .select(['number', 'started_at'])
    .where('meeting_id', '=', meetingId)
    .where('number', '=', sql<number>`any(${numbers}::int[])`)
    .execute()
  return new Map(rows.map((row) => [row.number, row.started_at]))
}

/** The shown names of everyone who was in the meeting, in the order in which they joined. */
export async function readParticipantNames(db: Db, meetingId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('participant')
    .innerJoin('meeting', 'meeting.id', 'participant.meeting_id')
    .select(
      sql<string>`coalesce(meeting.speaker_names -> participant.name ->> 'name', participant.name)`.as(
        'name',
      ),
    )
    .where('meeting_id', '=', meetingId)
    .orderBy('participant.joined_at')
    .orderBy('participant.id')
    .execute()
  return rows.map(({ name }) => name)
}

/** The shown names of these segments' speakers, by segment number. */
export async function readSegmentSpeakers(
  db: Db,
  meetingId: string,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('segment')
    .select(['number', 'speaker'])
    .where('meeting_id', '=', meetingId)
    .where('number', '=', sql<number>`any(${numbers}::int[])`)
    .execute()
  return new Map(rows.map(({ number, speaker }) => [number, speaker]))
}

/** True if a segment of the meeting is shown under this name. */
export async function hasLinesOfSpeaker(
  db: Db,
  meetingId: string,
  speaker: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('segment')
    .select('number')
    .where('meeting_id', '=', meetingId)
    .where('speaker', '=', speaker)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The gaps before the segments of a range. `cut`: the segments of a range, if others may follow it; else null. */
function gapsInRange(
  gaps: readonly TranscriptGap[],
  after: number,
  cut: ReadonlyArray<{ number: number }> | null,
): TranscriptGap[] {
  const last = cut?.at(-1)?.number ?? Infinity
  return gaps.filter(({ afterSegment }) => afterSegment >= after && afterSegment < last)
}
