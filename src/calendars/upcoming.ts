import { sql } from 'kysely'
import { ownsCalendar, readsProject } from '../access/project-condition.ts'
import { mayAccess } from '../access/subjects.ts'
import type { Viewer } from '../access/viewer.ts'
import type { PlatformName } from '../bots/platforms/platform.ts'
import type { Db, Tx } from '../db/database.ts'
import { cutRowsToPage, parseTimeCursorOrThrow, toTimeSortKey } from '../db/page-cursor.ts'
import { ServiceError } from '../errors.ts'
import { isMeetingAttended } from '../meetings/reading/meeting-lists.ts'
import { alignMeetings, type MeetingChanger } from './attending/align-meetings.ts'
import { findCalendarObstacle } from './calendar-store.ts'
import { planCalendar, REMEMBERED_REFUSALS, planInTransaction } from './planning/plan-calendar.ts'
import type { UpcomingReason } from './planning/reasons.ts'

/** A planned meeting: an occurrence of a calendar, or a meeting that was scheduled without one. */
export type UpcomingMeeting = {
  id: string
  calendarId: string | null
  calendarName: string | null
  meetingId: string | null
  title: string
  startsAt: Date
  endsAt: Date | null
  platform: PlatformName | null
  label: string | null
  project: string
  willJoin: boolean
  reason: UpcomingReason
  /** A person's decision; null if the rules decide. */
  attend: boolean | null
}

export type UpcomingPage = { upcoming: UpcomingMeeting[]; nextCursor: string | null }

type Parts = { db: Db; meetings: MeetingChanger }

/** Occurrences of the viewer's calendars and scheduled meetings of projects that the viewer may read, by start. */
export async function listUpcoming(
  db: Db,
  viewer: Viewer,
  { from, to, now }: { from: Date; to: Date; now: Date },
  limit: number,
  cursor: string | undefined,
): Promise<UpcomingPage> {
  const after = cursor === undefined ? null : parseTimeCursorOrThrow(cursor)
  const isAfter = after === null ? sql`true` : sql`("startsAt", id) > (${after.at}, ${after.id})`
  const { rows } = await sql<UpcomingMeeting>`
    select * from (${selectOccurrences(viewer, now)} union all ${selectScheduledMeetings(viewer)}) as u
    where "startsAt" < ${to} and coalesce("endsAt", "startsAt" + interval '1 hour') > ${from}
      and ${isAfter}
    order by "startsAt", id limit ${limit + 1}`.execute(db)
  const { items, nextCursor } = cutRowsToPage(rows, limit, ({ startsAt, id }) =>
    toTimeSortKey(startsAt, id),
  )
  return { upcoming: items, nextCursor }
}

/** One upcoming meeting that the viewer may see, or null. */
export async function findUpcoming(
  db: Db,
  viewer: Viewer,
  id: string,
  now: Date,
): Promise<UpcomingMeeting | null> {
  const { rows } = await sql<UpcomingMeeting>`
    select * from (${selectOccurrences(viewer, now)} union all ${selectScheduledMeetings(viewer)}) as u
    where id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** A meeting that was created and then ended or was deleted is not joined again. */
const IS_OVER = sql`(o.attended_start is not distinct from o.starts_at and coalesce(m.status in ('ended', 'error'), true))`

/** A bot should have joined the meeting, but it is over. The next plan will say so. */
const isMissed = (now: Date) =>
  sql`(o.ends_at <= ${now} and o.attended_start is distinct from o.starts_at)`

function selectOccurrences(viewer: Viewer, now: Date) {
  return sql`
    select o.id, calendar.id as "calendarId", calendar.name as "calendarName",
      o.meeting_id as "meetingId", o.title, o.starts_at as "startsAt", o.ends_at as "endsAt",
      o.platform, o.label, calendar.project,
      o.decision = 'join' and not ${IS_OVER} and not ${isMissed(now)} as "willJoin",
      case when o.decision = 'skip' then o.reason when ${isMissed(now)} then 'missed'
        when not ${IS_OVER} then o.reason when m.reason = 'stopped' then 'skipped_by_person'
        when o.ends_at <= ${now} or m.reason = 'host_ended' then 'past' else 'bot_left' end as reason,
      case o.override when 'join' then true when 'skip' then false end as attend
    from occurrence o join calendar on calendar.id = o.calendar_id
      left join meeting m on m.id = o.meeting_id
    where ${ownsCalendar(viewer)}`
}

/** Leaves out meetings of the viewer's own calendars, which are listed as occurrences. */
function selectScheduledMeetings(viewer: Viewer) {
  return sql`
    select m.id, null, null, m.id, coalesce(m.title, m.label), m.join_at, m.expected_end_at,
      m.platform, m.label, m.project, true, 'will_join', null::boolean
    from meeting m
    where m.status = 'scheduled' and ${readsProject(viewer, 'm.project')}
      and not exists (select from occurrence o join calendar on calendar.id = o.calendar_id
        where o.meeting_id = m.id and ${ownsCalendar(viewer)})`
}

/** Stores a person's decision about an occurrence; null lets the rules decide again. */
export async function setAttendance(
  { db, meetings }: Parts,
  occurrenceId: string,
  attend: boolean | null,
  now: Date,
): Promise<void> {
  const calendarId = await findCalendarId(db, occurrenceId)
  const planned = await planInTransaction(db, calendarId, async (tx, calendar) => {
    await tx
      .updateTable('occurrence')
      .set({ override: attend === null ? null : attend ? 'join' : 'skip' })
      .where('id', '=', occurrenceId)
      .execute()
    if (attend === true) await allowAnotherBot(tx, occurrenceId)
    const obstacle = await findCalendarObstacle(tx, calendar, now)
    const plan = await planCalendar(tx, calendar, { now, obstacle, reported: null })
    await alignMeetings(tx, meetings, { ...plan, calendarId, project: calendar.project })
  })
  if (planned === null) throw new ServiceError('upcoming_not_found')
}

/** The running meeting of an occurrence; null if none has begun. Throws if the viewer may not stop its bot. */
export async function findRunningMeeting(
  db: Db,
  viewer: Viewer,
  { meetingId }: Pick<UpcomingMeeting, 'meetingId'>,
): Promise<string | null> {
  if (meetingId === null || !(await isMeetingAttended(db, meetingId))) return null
  // The meeting may have been moved to another project.
  if (!(await mayAccess(db, viewer, { kind: 'meeting', id: meetingId, action: 'edit' })))
    throw new ServiceError('forbidden')
  return meetingId
}

async function findCalendarId(db: Db, occurrenceId: string): Promise<string> {
  const row = await db
    .selectFrom('occurrence')
    .select('calendar_id')
    .where('id', '=', occurrenceId)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('upcoming_not_found')
  return row.calendar_id
}

/** Allows another bot if a person stopped the bot and asks for it again, or if a bot was refused. */
async function allowAnotherBot(tx: Tx, occurrenceId: string): Promise<void> {
  await tx
    .updateTable('occurrence')
    .set({ decision: 'join', reason: 'will_join' })
    .where('id', '=', occurrenceId)
    .where('reason', 'in', REMEMBERED_REFUSALS)
    .execute()
  await tx
    .updateTable('occurrence')
    .set({ meeting_id: null, attended_start: null })
    .where('id', '=', occurrenceId)
    .where('attended_start', 'is not', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('meeting')
            .whereRef('meeting.id', '=', 'occurrence.meeting_id')
            .where('meeting.status', 'not in', ['stopping', 'leaving', 'ended', 'error']),
        ),
      ),
    )
    .execute()
}
