import { mayUseProject } from '../../access/project-use.ts'
import { findStoredViewer, readTokenViewer } from '../../access/stored-viewer.ts'
import { mayAccess } from '../../access/subjects.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { AttendedMeeting, Meeting, MeetingOptions } from '../meeting.ts'
import { findOpenAttempt } from '../reading/meeting-detail.ts'
import { convertMeetingRow, createMeetingQuery } from '../record/meeting-store.ts'
import { isFinalStatus } from '../status.ts'
import { NO_RECEIVER, type StartedMeeting, type StartMeetingRequest } from './new-meeting.ts'
import type { StartFieldChecks, StartMeeting } from './start-meeting.ts'

/** What differs in the new attempt. Everything else is copied from the finished meeting. */
export type RetryChanges = {
  /** The bot account to join with. Null joins as a guest, undefined uses the old meeting's account. */
  account?: string | null | undefined
  /** True if the new meeting sends no callbacks, because this person may not use the old meeting's token. */
  withoutCallbacks?: boolean | undefined
}

/**
 * Starts a finished meeting again. If an attempt is already open, returns that one, so that two people or two clicks
 * send only one bot.
 */
export type RetryMeeting = (
  viewer: Viewer,
  meetingId: string,
  changes: RetryChanges,
) => Promise<StartedMeeting>

type Parts = {
  db: Db
  clock: Clock
  start: StartMeeting
  findStartProblems: StartFieldChecks['findProblems']
}

/** Another request started the meeting again after this one looked for an open attempt. */
class AlreadyStartedError extends Error {
  override readonly name = 'AlreadyStartedError'
  readonly attempt: Meeting

  constructor(attempt: Meeting) {
    super(`${attempt.id} is open`)
    this.attempt = attempt
  }
}

/**
 * The caller must check that the viewer may edit the meeting. The callback URL and the token stay in the database, so
 * neither passes through the browser of the person who retries.
 */
export function createMeetingRetrier(parts: Parts): RetryMeeting {
  const { db, clock, start } = parts
  return async (viewer, meetingId, changes) => {
    const row = await createMeetingQuery(db)
      .select(['callback_url', 'token_id'])
      .where('id', '=', meetingId)
      .executeTakeFirst()
    if (row === undefined) throw new ServiceError('meeting_not_found')
    const meeting = convertMeetingRow(row)
    if (!isFinalStatus(meeting.status)) throw new ServiceError('meeting_active')
    if (!isAttended(meeting)) throw importedError()
    const open = await findOpenAttempt(db, viewer, meetingId)
    if (open !== null) return toStarted(open)
    const tokenId = changes.withoutCallbacks === true ? null : row.token_id
    const signing = { viewer, tokenId, project: meeting.project }
    await requireSigning(db, signing, clock.now())
    const callbackUrl = tokenId === null ? NO_RECEIVER.callbackUrl : row.callback_url
    const options = await repeatOptions(db, viewer, meeting, changes)
    if (tokenId === null) options.events = NO_RECEIVER.events
    await requireUsableAccount(parts, meeting.url, options.account)
    const request = { ...repeatRequest(meeting), callbackUrl, options }
    try {
      return await start(viewer, request, tokenId, async (tx, { meeting: { id } }) => {
        await lockMeeting(tx, meetingId)
        const other = await findOpenAttempt(tx, viewer, meetingId, id)
        if (other !== null) throw new AlreadyStartedError(other)
        await requireSigning(tx, signing, clock.now())
      })
    } catch (error) {
      if (error instanceof AlreadyStartedError) return toStarted(error.attempt)
      throw error
    }
  }
}

function isAttended(meeting: Meeting): meeting is AttendedMeeting {
  return meeting.platform !== 'imported'
}

function toStarted(meeting: Meeting): StartedMeeting {
  if (!isAttended(meeting)) throw importedError()
  return { meeting, otherMeetingIds: [] }
}

function importedError(): ServiceError {
  return new ServiceError('unsupported_meeting_url', {
    text: 'An imported meeting cannot be started again, because no bot was in it',
  })
}

/** Lets one request at a time check for an open attempt. */
async function lockMeeting(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('meeting').select('id').where('id', '=', id).forUpdate().execute()
}

function repeatRequest(meeting: Meeting): Omit<StartMeetingRequest, 'callbackUrl' | 'options'> {
  const { url, title, project, documentPath, options } = meeting
  const { saveTranscript = documentPath !== null } = options
  return { url, title, project, saveTranscript, joinAt: null, expectedEndAt: null }
}

async function repeatOptions(
  db: Db,
  viewer: Viewer,
  { id, options }: Meeting,
  { account = options.account }: RetryChanges,
): Promise<MeetingOptions> {
  const { saveTranscript: _, task, ...others } = options
  const runsTask =
    task !== undefined && (await mayAccess(db, viewer, { kind: 'task', id: task, action: 'edit' }))
  return { ...others, ...(runsTask && { task }), account, retryOf: id }
}

type Signing = { viewer: Viewer; tokenId: string | null; project: string }

/**
 * A token's secret signs only what its owner or an admin starts. The receiver gets the transcript, so the token must
 * also have access to the project: the meeting may have been moved since.
 */
async function requireSigning(
  db: Db,
  { viewer, tokenId, project }: Signing,
  now: Date,
): Promise<void> {
  if (tokenId === null) return
  const mayManage = await mayAccess(db, viewer, { kind: 'token', id: tokenId, action: 'manage' })
  const isUsable = typeof (await findStoredViewer(db, { viewer, tokenId }, now)) !== 'string'
  const receiver = await readTokenViewer(db, tokenId)
  const mayReceive = receiver !== null && (await mayUseProject(db, receiver, 'edit', project))
  if (!mayManage || !isUsable || !mayReceive) throw new ServiceError('callbacks_not_allowed')
}

/** The bot account of the first attempt may have been removed. People read this error in the console. */
async function requireUsableAccount(
  { findStartProblems }: Parts,
  url: string,
  account: string | null,
): Promise<void> {
  const problems = account === null ? [] : await findStartProblems({ url, account })
  const details = problems.flatMap(({ extras }) => extras.details ?? [])
  if (!details.some(({ path }) => path === 'account')) return
  throw new ServiceError('invalid_request', {
    text: `The bot account “${account}” cannot be used any more`,
    details,
    hint: 'Choose another bot account, or join as a guest',
  })
}
