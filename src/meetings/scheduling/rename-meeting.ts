import type { Tx } from '../../db/database.ts'
import { isInEffect } from '../editing/edit-history.ts'

/**
 * Changes the title of a meeting that has not begun; its document and its events get the new one. A title that a person gave
 * stays.
 */
export async function renameScheduledMeeting(
  tx: Tx,
  id: string,
  title: string | null,
): Promise<void> {
  await tx
    .updateTable('meeting')
    .set({ title })
    .where('id', '=', id)
    .where('status', '=', 'scheduled')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('meeting_edit as e')
            .select('e.number')
            .whereRef('e.meeting_id', '=', 'meeting.id')
            .where('e.kind', '=', 'title')
            .where(isInEffect),
        ),
      ),
    )
    .execute()
}
