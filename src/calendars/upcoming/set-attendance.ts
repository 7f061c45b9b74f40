import { mayAccess } from '../../access/subjects.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { isMeetingAttended } from '../../meetings/reading/open-in-room.ts'
import { alignMeetings, type MeetingChanger } from '../attending/align-meetings.ts'
import { planCalendar, REMEMBERED_REFUSALS } from '../planning/plan-calendar.ts'
import { planInTransaction } from '../planning/planning-transaction.ts'
import { findCalendarObstacle } from '../store/calendar-viewer.ts'
import type { UpcomingMeeting } from './upcoming.ts'

type Parts = { db: Db; meetings: MeetingChanger }

/** Stores what a person decided about one occurrence; null lets the rules decide again. */
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

/** The meeting of an occurrence whose bot is to be stopped; null when none has begun. Throws when it may not be. */
export async function findRunningMeeting(
  db: Db,
  viewer: Viewer,
  { meetingId }: Pick<UpcomingMeeting, 'meetingId'>,
): Promise<string | null> {
  if (meetingId === null || !(await isMeetingAttended(db, meetingId))) return null
  // The meeting may be in another project by now.
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

/** A person who stopped the bot and then asks for it again gets another one. A bot that was refused is tried again. */
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
