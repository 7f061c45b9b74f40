import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/**
 * Locks the meeting before its recap and their items, as a new recap and a removal do. Otherwise two of these could
 * deadlock. Returns false if the meeting does not exist. Lines can still be stored.
 */
export async function lockMeetingOfRecap(tx: Tx, meetingId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('meeting')
    .select('id')
    .where('id', '=', meetingId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Schedules an update of the recap in the document, after a person has changed the recap. */
export async function markRecapChanged(tx: Tx, meetingId: string, now: Date): Promise<void> {
  await sql`update recap set version = version + 1,
      due_at = case when step = 'done' then ${now} else due_at end,
      step = case when step = 'done' then 'document' else step end
    where meeting_id = ${meetingId}`.execute(tx)
}
