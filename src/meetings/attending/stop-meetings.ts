import type { Tx } from '../../db/database.ts'
import { changeMeetingStatus } from '../record/meeting-store.ts'
import { ACTIVE_STATUSES } from '../status.ts'

/** Makes the bots of a user leave, in the transaction that removes or deactivates the user. */
export async function stopMeetingsOfUser(tx: Tx, userId: string, now: Date): Promise<void> {
  const meetings = await tx
    .selectFrom('meeting')
    .select('id')
    .where('started_by', '=', userId)
    .where('ended_at', 'is', null)
    .where('status', 'in', ACTIVE_STATUSES)
    .orderBy('id')
    .execute()
  for (const { id } of meetings)
    await changeMeetingStatus(tx, id, { to: 'stopping', reason: 'stopped', at: now })
}
