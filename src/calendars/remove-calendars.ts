import type { Tx } from '../db/database.ts'
import { withdrawMeeting } from '../meetings/scheduling/withdraw-meeting.ts'
import { readOccurrences, settleRooms } from './planning/occurrence-store.ts'
import { acquirePlanningLock } from './planning/planning-transaction.ts'

/** Removes the calendars of a user, in the transaction that removes the user. Bots that wait do not join. */
export async function removeCalendarsOfUser(tx: Tx, userId: string, now: Date): Promise<void> {
  const calendarQuery = tx
    .selectFrom('calendar')
    .select(['id', 'project'])
    .where('user_id', '=', userId)
    .orderBy('id')
  const projects = (await calendarQuery.execute()).map(({ project }) => project)
  if (projects.length === 0) return
  await acquirePlanningLock(tx, projects)
  // Again: one of them may have got another project before the lock was held.
  const calendars = await calendarQuery.forUpdate().execute()
  for (const { id, project } of calendars) {
    const occurrences = await readOccurrences(tx, id)
    for (const { meeting_id } of occurrences)
      if (meeting_id !== null) await withdrawMeeting(tx, meeting_id, now)
    await tx.deleteFrom('calendar').where('id', '=', id).execute()
    const rooms = occurrences.flatMap(({ room }) => (room === null ? [] : [room]))
    await settleRooms(tx, project, rooms, now)
  }
}
