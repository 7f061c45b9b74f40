import type { Tx } from '../../db/database.ts'
import { changeMeetingStatus } from '../record/meeting-store.ts'
import { cancelScheduledMeeting } from './scheduled-rows.ts'

/**
 * Ends a meeting whose join time has not come: `cancelled` before it began, `stopping` when its bot already waits for
 * that time. Null for a meeting that takes place or is over, which stays as it is.
 */
export async function withdrawMeeting(
  tx: Tx,
  id: string,
  now: Date,
): Promise<'cancelled' | 'stopping' | null> {
  if (await cancelScheduledMeeting(tx, id, now)) return 'cancelled'
  const row = await tx
    .selectFrom('meeting')
    .select('join_at')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined || row.join_at === null || row.join_at <= now) return null
  const change = { to: 'stopping', reason: 'stopped', at: now } as const
  return (await changeMeetingStatus(tx, id, change)) === null ? null : 'stopping'
}
