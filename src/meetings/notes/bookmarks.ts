import { sql } from 'kysely'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { requireMeeting } from '../record/meeting-store.ts'
import { requireLine } from './require-line.ts'

/** A line that a person has marked. Only this person sees the mark. */
export type Bookmark = { segmentNumber: number; createdAt: Date }

/** The bookmarks of the viewer in a meeting, in the order of the lines. A service token has none. */
export async function listBookmarks(
  db: Db,
  viewer: Viewer,
  meetingId: string,
): Promise<Bookmark[]> {
  await requireMeeting(db, meetingId)
  if (viewer.kind !== 'user') return []
  return db
    .selectFrom('line_bookmark')
    .select(['segment_number as segmentNumber', 'created_at as createdAt'])
    .where('user_id', '=', viewer.userId)
    .where('meeting_id', '=', meetingId)
    .orderBy('segment_number')
    .execute()
}

/** Marks a line. A line that is already marked stays as it is. */
export async function saveBookmark(
  db: Db,
  viewer: Viewer,
  { meetingId, segmentNumber }: { meetingId: string; segmentNumber: number },
  now: Date,
): Promise<void> {
  await requireLine(db, meetingId, segmentNumber)
  const userId = requirePerson(viewer)
  // Locks both rows, so that nothing is stored, and nothing fails, when the user or the meeting is being removed.
  await sql`insert into line_bookmark (user_id, meeting_id, segment_number, created_at)
    select u.id, m.id, ${segmentNumber}::int, ${now}::timestamptz
    from app_user u, meeting m where u.id = ${userId} and m.id = ${meetingId}
    for key share on conflict do nothing`.execute(db)
}

/** Removes the mark of a line, if it has one. */
export async function deleteBookmark(
  db: Db,
  viewer: Viewer,
  { meetingId, segmentNumber }: { meetingId: string; segmentNumber: number },
): Promise<void> {
  await requireMeeting(db, meetingId)
  await db
    .deleteFrom('line_bookmark')
    .where('user_id', '=', requirePerson(viewer))
    .where('meeting_id', '=', meetingId)
    .where('segment_number', '=', segmentNumber)
    .execute()
}

function requirePerson(viewer: Viewer): string {
  if (viewer.kind === 'user') return viewer.userId
  throw new ServiceError('forbidden', {
    hint: 'Bookmarks belong to people: use a personal API key',
  })
}
