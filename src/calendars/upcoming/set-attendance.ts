import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { alignMeetings, type MeetingChanger } from '../attending/align-meetings.ts'
import { acquirePlanningLock } from '../planning/occurrence-store.ts'
import { planCalendar } from '../planning/plan-calendar.ts'
import { lockCalendar } from '../store/calendar-store.ts'
import { findCalendarObstacle } from '../store/calendar-viewer.ts'

type Parts = { db: Db; meetings: MeetingChanger }

/** Stores what a person decided about one occurrence; null lets the rules decide again. */
export function setAttendance(
  { db, meetings }: Parts,
  occurrenceId: string,
  attend: boolean | null,
  now: Date,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await acquirePlanningLock(tx)
    const calendar = await lockCalendar(tx, await findCalendarId(tx, occurrenceId))
    await tx
      .updateTable('occurrence')
      .set({ override: attend === null ? null : attend ? 'join' : 'skip' })
      .where('id', '=', occurrenceId)
      .execute()
    if (attend === true) await allowAnotherBot(tx, occurrenceId)
    const obstacle = await findCalendarObstacle(tx, calendar, now)
    await planCalendar(tx, calendar, { now, obstacle, reported: null })
    await alignMeetings(tx, meetings)
  })
}

async function findCalendarId(tx: Tx, occurrenceId: string): Promise<string> {
  const row = await tx
    .selectFrom('occurrence')
    .select('calendar_id')
    .where('id', '=', occurrenceId)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('upcoming_not_found')
  return row.calendar_id
}

/** A person who stopped the bot and then asks for it again gets another one. */
async function allowAnotherBot(tx: Tx, occurrenceId: string): Promise<void> {
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
            .where('meeting.status', 'not in', ['ended', 'error']),
        ),
      ),
    )
    .execute()
}
