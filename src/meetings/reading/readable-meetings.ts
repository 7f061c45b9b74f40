import { readsProject } from '../../access/project-condition.ts'
import { isUnrestricted, type Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { memoizeAsyncForLimitedTime } from '../../lib/memoize.ts'

/** How long a stream may go on with an answer, so that it does not ask before every event. */
const CACHE = { maxEntries: 1_000, ttlMs: 1_000 }

/** Decides for a long-lived stream whether its viewer may read a meeting. The viewer's rights can change meanwhile. */
export function createMeetingReadCheck(
  db: Db,
  getViewer: () => Viewer,
): (meetingId: string) => Promise<boolean> {
  const isReadable = memoizeAsyncForLimitedTime(async (meetingId) => {
    const row = await db
      .selectFrom('meeting')
      .select('id')
      .where('id', '=', meetingId)
      .where(readsProject(getViewer(), 'meeting.project'))
      .executeTakeFirst()
    return row !== undefined
  }, CACHE)
  return async (meetingId) => isUnrestricted(getViewer()) || isReadable(meetingId)
}
