import { sql } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import type { Meeting } from '../meeting.ts'
import { convertMeetingRow, createMeetingQuery } from '../record/meeting-store.ts'
import { OPEN_STATUSES, type MeetingStatus } from '../status.ts'

/** The attempts at the same meeting before and after this one, as far as the viewer may read them. */
export type MeetingAttempts = {
  /** The meeting that this one tries again; null for a first attempt. */
  retryOf: string | null
  /** The newest attempt that tries this one again; null when there is none. */
  retriedAs: { meetingId: string; status: MeetingStatus } | null
}

export async function readMeetingAttempts(
  db: Db,
  viewer: Viewer,
  { id, options }: Meeting,
): Promise<MeetingAttempts> {
  const { retryOf } = options
  const earlier =
    retryOf === undefined
      ? undefined
      : await db
          .selectFrom('meeting')
          .select('id')
          .where('id', '=', retryOf)
          .where(readsProject(viewer, 'meeting.project'))
          .executeTakeFirst()
  const later = await selectLaterAttempts(db, viewer, id).executeTakeFirst()
  return {
    retryOf: earlier?.id ?? null,
    retriedAs: later === undefined ? null : { meetingId: later.id, status: later.status },
  }
}

/** The attempt at this meeting that is not over, if the viewer may read it; `exceptId` is not counted. */
export async function findOpenAttempt(
  db: Db,
  viewer: Viewer,
  id: string,
  exceptId?: string,
): Promise<Meeting | null> {
  const row = await selectLaterAttempts(db, viewer, id)
    .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId ?? ''))
    .where('status', 'in', OPEN_STATUSES)
    .executeTakeFirst()
  return row === undefined ? null : convertMeetingRow(row)
}

/** Newest first. An attempt has the link of the first one, and rooms have an index. */
function selectLaterAttempts(db: Db, viewer: Viewer, id: string) {
  return createMeetingQuery(db)
    .where('room', '=', (query) =>
      query.selectFrom('meeting as first').select('first.room').where('first.id', '=', id),
    )
    .where(sql<string>`meeting.options ->> 'retryOf'`, '=', id)
    .where(readsProject(viewer, 'meeting.project'))
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
}
