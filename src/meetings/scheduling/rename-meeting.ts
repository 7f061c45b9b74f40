import type { Tx } from '../../db/database.ts'

/** Changes the title of a meeting that has not begun; its document and its events get the new one. */
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
    .execute()
}
