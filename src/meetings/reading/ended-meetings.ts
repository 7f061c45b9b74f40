import { sql } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Meeting } from '../meeting.ts'
import { convertMeetingRow, createMeetingQuery } from '../record/meeting-store.ts'

/** Meetings that are over and whose tasks were not started yet, the first to end first. */
export async function findMeetingsAwaitingTasks(db: Db, limit: number): Promise<Meeting[]> {
  const rows = await createMeetingQuery(db)
    .where('ended_at', 'is not', null)
    .where('tasks_started', '=', false)
    // Tasks read the document, and that of an import is written after its commit.
    .where((eb) =>
      eb.not(
        eb.and([
          eb('platform', '=', 'imported'),
          eb('document_path', 'is not', null),
          eb('document_size', '=', 0),
        ]),
      ),
    )
    .orderBy('ended_at')
    .limit(limit)
    .execute()
  return rows.map(convertMeetingRow)
}

/** The newest ended meetings that the viewer may read. */
export async function listNewestEndedMeetings(
  db: Db,
  viewer: Viewer,
  limit: number,
): Promise<Meeting[]> {
  const rows = await createMeetingQuery(db)
    .where(readsProject(viewer, 'meeting.project'))
    .where('ended_at', 'is not', null)
    // As in the condition of the index, so that scheduled meetings are not read.
    .where('status', '<>', sql.lit('scheduled'))
    .orderBy('started_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(convertMeetingRow)
}

/**
 * Marks a meeting as one whose tasks are started, in the transaction that starts them. False when another node has done
 * so, or the meeting was removed.
 */
export async function claimMeetingForTasks(tx: Tx, meetingId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('meeting')
    .set({ tasks_started: true })
    .where('id', '=', meetingId)
    .where('tasks_started', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
