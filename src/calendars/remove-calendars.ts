import type { Tx } from '../db/database.ts'
import { withdrawMeeting } from '../meetings/scheduling/withdraw-meeting.ts'
import { acquirePlanningLock, lockOccurrences, settleRooms } from './planning/occurrence-store.ts'

/** Removes the calendars of a user, in the transaction that removes the user. Bots that wait do not join. */
export async function removeCalendarsOfUser(tx: Tx, userId: string, now: Date): Promise<void> {
  const calendars = await tx
    .selectFrom('calendar')
    .select(['id', 'project'])
    .where('user_id', '=', userId)
    .execute()
  if (calendars.length === 0) return
  await acquirePlanningLock(tx)
  for (const { id, project } of calendars) {
    const occurrences = await lockOccurrences(tx, id)
    for (const { meeting_id } of occurrences)
      if (meeting_id !== null) await withdrawMeeting(tx, meeting_id, now)
    await tx.deleteFrom('calendar').where('id', '=', id).execute()
    const rooms = occurrences.flatMap(({ room }) => (room === null ? [] : [room]))
    await settleRooms(tx, project, rooms, now)
  }
}
