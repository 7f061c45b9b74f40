import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { changeMeetingStatus, type EventRow } from '../record/meeting-store.ts'
import { BEGUN_STATUSES } from '../status.ts'

/** Makes the bots of a user leave, in the transaction that removes or deactivates the user. */
export async function stopMeetingsOfUser(tx: Tx, userId: string, now: Date): Promise<void> {
  const meetings = await tx
    .selectFrom('meeting')
    .select('id')
    .where('started_by', '=', userId)
    .where('ended_at', 'is', null)
    .where('status', 'in', BEGUN_STATUSES)
    .orderBy('id')
    .execute()
  for (const { id } of meetings) await stopMeeting(tx, id, now)
}

/**
 * Makes the bot leave, or ends a meeting that waits for its official transcript, which leaves an event to send. Null if
 * the meeting is over or already stopping.
 */
export async function stopMeeting(tx: Tx, id: string, at: Date): Promise<EventRow[] | null> {
  const change = { reason: 'stopped', at } as const
  const stopping = await changeMeetingStatus(tx, id, { to: 'stopping', ...change })
  if (stopping !== null) return stopping
  const { rows } =
    await sql`select 1 from meeting where id = ${id} and status = 'awaiting_transcript'
    for update`.execute(tx)
  return rows.length === 0 ? null : changeMeetingStatus(tx, id, { to: 'ended', ...change })
}
