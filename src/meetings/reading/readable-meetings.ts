import { readsProject } from '../../access/project-condition.ts'
import { isUnrestricted, type Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'

/** How long a stream may go on with an answer, so that it does not ask before every event. */
const CACHE_MS = 1_000
const MAX_CACHED = 1_000

/** Decides for a long-lived stream whether its viewer may read a meeting. The viewer's rights can change meanwhile. */
export function createMeetingReadCheck(
  db: Db,
  getViewer: () => Viewer,
): (meetingId: string) => Promise<boolean> {
  const checked = new Map<string, { at: number; isReadable: boolean }>()
  return async (meetingId) => {
    const viewer = getViewer()
    if (isUnrestricted(viewer)) return true
    const at = performance.now()
    const cached = checked.get(meetingId)
    if (cached !== undefined && at - cached.at < CACHE_MS) return cached.isReadable
    const row = await db
      .selectFrom('meeting')
      .select('id')
      .where('id', '=', meetingId)
      .where(readsProject(viewer, 'meeting.project'))
      .executeTakeFirst()
    const isReadable = row !== undefined
    if (checked.size >= MAX_CACHED) checked.clear()
    checked.set(meetingId, { at, isReadable })
    return isReadable
  }
}
