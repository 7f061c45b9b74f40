import { sql } from 'kysely'
import type { Platform } from '../../bots/platforms/platform.ts'
import type { Db } from '../../db/database.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { Meeting } from '../meeting.ts'
import { convertMeetingRow, createMeetingQuery } from '../record/meeting-store.ts'

/** What an official transcript says about its meeting, and who may get it. */
export type AttendedQuery = {
  rooms: readonly string[]
  /** The meeting of the calendar's occurrence; null if there is none. */
  meetingId: string | null
  from: Date
  until: Date
  /** Where the official transcript would be stored otherwise. */
  project: string
  /** The organizer, whose own bots may be in another project; null if unknown. */
  organizerId: string | null
}

/** A bot that was never let in has often left before the transcription was turned on. */
const NEVER_IN_TOLERANCE_MS = 30 * MINUTE_MS

/** The places that these links lead to. */
export function findRooms(platforms: readonly Platform[], links: readonly string[]): string[] {
  const rooms = links.flatMap((link) =>
    platforms.flatMap((platform) => platform.parseLink(link)?.room ?? []),
  )
  return [...new Set(rooms)]
}

/**
 * The meeting that a bot attended at that place and time, or for the same occurrence of a calendar. Only in the project
 * that may get the transcript anyway, or started by the organizer: an official transcript must not reach people through
 * a bot of somebody else. Prefers the meeting that shares most of the time. Null if there is none.
 */
export async function findAttendedMeeting(
  db: Db,
  { rooms, meetingId, from, until, project, organizerId }: AttendedQuery,
): Promise<Meeting | null> {
  const end = sql`coalesce(meeting.ended_at, 'infinity')`
  const tolerance = sql`case when meeting.live_at is null
    then make_interval(secs => ${NEVER_IN_TOLERANCE_MS / 1000}) else interval '0' end`
  const row = await createMeetingQuery(db)
    .where('imported_at', 'is', null)
    .where('status', '<>', 'scheduled')
    // A meeting that no longer waits got another transcript, or nobody wants one.
    .where(
      sql<boolean>`(meeting.status = 'awaiting_transcript' or meeting.options ->> 'capture' is distinct from 'official')`,
    )
    .where((eb) =>
      eb.or([
        eb('project', '=', project),
        ...(organizerId === null ? [] : [eb('started_by', '=', organizerId)]),
      ]),
    )
    .where((eb) =>
      eb.or([
        ...(meetingId === null ? [] : [eb('id', '=', meetingId)]),
        eb.and([
          eb('room', '=', sql<string>`any(${[...rooms]}::text[])`),
          sql<boolean>`meeting.started_at <= ${until} and ${end} + ${tolerance} >= ${from}`,
        ]),
      ]),
    )
    .orderBy(sql`meeting.status = 'awaiting_transcript'`, 'desc')
    .orderBy(sql`(meeting.id = ${meetingId ?? ''})`, 'desc')
    .orderBy(sql`meeting.segment_count > 0`, 'desc')
    .orderBy(
      sql`least(${end}, ${until}::timestamptz) - greatest(meeting.started_at, ${from}::timestamptz)`,
      'desc',
    )
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : convertMeetingRow(row)
}
