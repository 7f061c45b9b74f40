import { findStoredViewer } from '../../access/stored-viewer.ts'
import { mayAccess } from '../../access/subjects.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { MeetingOptions } from '../meeting.ts'
import { convertMeetingRow, createMeetingQuery } from '../record/meeting-store.ts'
import { isFinalStatus } from '../status.ts'
import { NO_RECEIVER, type StartedMeeting } from './new-meeting.ts'
import type { StartMeeting } from './start-meeting.ts'

/** What is different in the new attempt. Everything else is as in the meeting that is over. */
export type RetryChanges = {
  /** The bot account to join with; null for a guest, undefined for the one of the old meeting. */
  account?: string | null | undefined
  /** Whether the new meeting sends no callbacks, for a person who may not use the token of the old one. */
  withoutCallbacks?: boolean | undefined
}

/** Starts a meeting again that is over. */
export type RetryMeeting = (
  viewer: Viewer,
  meetingId: string,
  changes: RetryChanges,
) => Promise<StartedMeeting>

type Parts = { db: Db; clock: Clock; start: StartMeeting }

/**
 * The caller has checked that the viewer may edit the meeting. The callback URL and the token stay in the database, so
 * neither passes through the browser of the person who tries again.
 */
export function createMeetingRetrier({ db, clock, start }: Parts): RetryMeeting {
  return async (viewer, meetingId, { account, withoutCallbacks = false }) => {
    const row = await createMeetingQuery(db)
      .select(['callback_url', 'token_id'])
      .where('id', '=', meetingId)
      .executeTakeFirst()
    if (row === undefined) throw new ServiceError('meeting_not_found')
    const meeting = convertMeetingRow(row)
    if (!isFinalStatus(meeting.status)) throw new ServiceError('meeting_active')
    const { saveTranscript = meeting.documentPath !== null, task, ...options } = meeting.options
    const tokenId = withoutCallbacks ? null : row.token_id
    if (tokenId !== null && !(await maySignWith(db, viewer, tokenId, clock.now())))
      throw new ServiceError('callbacks_not_allowed')
    const namedTask =
      task !== undefined &&
      (await mayAccess(db, viewer, { kind: 'task', id: task, action: 'edit' }))
        ? { task }
        : {}
    const again: MeetingOptions = {
      ...options,
      ...namedTask,
      ...(account !== undefined && { account }),
      ...(tokenId === null && { events: NO_RECEIVER.events }),
      retryOf: meetingId,
    }
    const { url, title, project } = meeting
    const callbackUrl = tokenId === null ? NO_RECEIVER.callbackUrl : row.callback_url
    return start(
      viewer,
      {
        url,
        title,
        callbackUrl,
        project,
        saveTranscript,
        options: again,
        joinAt: null,
        expectedEndAt: null,
      },
      tokenId,
    )
  }
}

/** The same rule as for a start: the secret of a token signs only what its owner or an admin starts. */
async function maySignWith(db: Db, viewer: Viewer, tokenId: string, now: Date): Promise<boolean> {
  const isAllowed = await mayAccess(db, viewer, { kind: 'token', id: tokenId, action: 'manage' })
  return isAllowed && typeof (await findStoredViewer(db, { viewer, tokenId }, now)) !== 'string'
}
