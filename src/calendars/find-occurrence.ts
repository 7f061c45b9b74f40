import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { findRuleRefusal } from './planning/decide-attendance.ts'
import type { UpcomingReason } from './planning/reasons.ts'

/** An occurrence in a calendar of the person who organizes the meeting. */
export type OccurrenceOfTranscript = {
  title: string
  /** The project of the calendar's meetings. */
  project: string
  /** The last meeting that was created for it. */
  meetingId: string | null
  /** Why the rules of the calendar, or the person, leave it out; null if they do not. */
  refusal: UpcomingReason | null
}

/**
 * The occurrence of a meeting that took place in one of these rooms at this time, in a calendar of this person. Null if
 * no calendar has it. If several have it, one whose rules allow it comes first.
 */
export async function findOccurrenceOfTranscript(
  db: Db,
  userId: string,
  { rooms, from, until }: { rooms: readonly string[]; from: Date; until: Date },
): Promise<OccurrenceOfTranscript | null> {
  if (rooms.length === 0) return null
  const rows = await db
    .selectFrom('occurrence as o')
    .innerJoin('calendar as c', 'c.id', 'o.calendar_id')
    .select(['o.title', 'c.project', 'o.meeting_id as meetingId', 'o.override', 'c.rules'])
    .select(['c.address', 'o.ends_at as endsAt', 'o.is_all_day as isAllDay', 'o.organizer'])
    .select(['o.is_cancelled as isCancelled', 'o.attendees'])
    .select(['o.is_private as isPrivate', 'o.own_response as ownResponse'])
    .where('c.user_id', '=', userId)
    .where('o.room', '=', sql<string>`any(${[...rooms]}::text[])`)
    .where('o.starts_at', '<=', until)
    .where('o.ends_at', '>=', from)
    .orderBy(sql`abs(extract(epoch from o.starts_at - ${from}::timestamptz))`)
    .orderBy('c.created_at')
    .orderBy('o.id')
    .limit(20)
    .execute()
  const found = rows.map(({ title, project, meetingId, override, rules, address, ...facts }) => ({
    title,
    project,
    meetingId,
    refusal: findRuleRefusal({ ...facts, title, hasLink: true }, { rules, address }, override),
  }))
  return found.find(({ refusal }) => refusal === null) ?? found[0] ?? null
}
