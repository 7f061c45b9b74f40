import type { Tx } from '../../db/database.ts'
import { makeLaneDueForLateEvent } from '../../deliveries/lane/lane-rows.ts'
import type { EventContent } from '../event-types.ts'
import { appendEvents } from './meeting-store.ts'
import type { EventRow } from './rows.ts'

/**
 * Stores an event of a meeting that has ended, and makes its lane due again, which may already have sent everything. The
 * caller publishes the rows after the commit.
 */
export async function appendLateEvent(
  tx: Tx,
  meetingId: string,
  at: Date,
  event: EventContent,
): Promise<EventRow[]> {
  const rows = await appendEvents(tx, meetingId, at, [event])
  for (const { sequence } of rows) await makeLaneDueForLateEvent(tx, meetingId, sequence, at)
  return rows
}
