import { allowsProject } from '../../access/project-condition.ts'
import { readTokenViewer } from '../../access/stored-viewer.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { memoizeAsyncForLimitedTime } from '../../lib/memoize.ts'
import type { ListenerStream } from './listeners.ts'

/** The caller who opened the stream of a listener. `tokenId` is null for a person who signed in. */
export type ListenerCaller = { viewer: Viewer; tokenId: string | null }

/** How long a stream may go on with an answer, so that it does not ask before every callback. */
const CACHE = { maxEntries: 1_000, ttlMs: 1_000 }

/**
 * Decides what a listener may answer: callbacks of meetings that its person or token started, while the caller may edit
 * their project. The rights of the caller can change while the stream is open.
 */
export function createAnswerAccess(
  db: Db,
  getCaller: () => ListenerCaller,
): Pick<ListenerStream, 'mayAnswer' | 'ownsToken'> {
  const ownsToken = async (tokenId: string) =>
    isOwner(getCaller(), tokenId, await readTokenViewer(db, tokenId))
  return {
    ownsToken,
    mayAnswer: memoizeAsyncForLimitedTime(async (meetingId) => {
      const meeting = await db
        .selectFrom('meeting')
        .select('token_id as tokenId')
        .where('id', '=', meetingId)
        .where(allowsProject(getCaller().viewer, 'edit', 'meeting.project'))
        .executeTakeFirst()
      return meeting !== undefined && meeting.tokenId !== null && ownsToken(meeting.tokenId)
    }, CACHE),
  }
}

/** Signed-in admins own service tokens, because only they manage them: the inbox of the console is their listener. */
function isOwner(caller: ListenerCaller, tokenId: string, token: Viewer | null): boolean {
  const { viewer } = caller
  if (token === null) return false
  if (token.kind === 'user') return viewer.kind === 'user' && viewer.userId === token.userId
  const isAdminInConsole =
    caller.tokenId === null && viewer.kind === 'user' && viewer.role === 'admin'
  return caller.tokenId === tokenId || isAdminInConsole
}
