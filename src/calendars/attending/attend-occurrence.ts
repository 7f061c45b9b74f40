import { mayAccess } from '../../access/subjects.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db, Tx } from '../../db/database.ts'
import { LISTENER_SCHEME } from '../../deliveries/listeners/listeners.ts'
import { ServiceError, type ErrorCode } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { MeetingOptions } from '../../meetings/meeting.ts'
import type { Meetings } from '../../meetings/meetings.ts'
import { findOpenMeetingInRoom } from '../../meetings/reading/open-in-room.ts'
import type { StartMeetingRequest } from '../../meetings/starting/new-meeting.ts'
import type { Calendar } from '../calendar.ts'
import type { OccurrenceRow } from '../planning/occurrence-store.ts'
import type { UpcomingReason } from '../planning/reasons.ts'
import { requireCalendar } from '../store/calendar-store.ts'
import { findCalendarObstacle, readCalendarViewer } from '../store/calendar-viewer.ts'

export type AttendParts = {
  db: Db
  clock: Clock
  meetings: Pick<Meetings, 'start'>
  /** The options of a meeting that is started without any. */
  defaultOptions: MeetingOptions
}

/** Another node has created the meeting, or the plan changed meanwhile. Rolls the start back. */
class NotDueAnyMore extends Error {
  override readonly name = 'NotDueAnyMore'
}

/** Errors of a start that come again with every attempt, and the reason that people see. Others are tried again. */
const REFUSALS: Partial<Record<ErrorCode, UpcomingReason>> = {
  forbidden: 'no_access',
  project_not_found: 'no_access',
  callback_url_blocked: 'callback_blocked',
  unsupported_meeting_url: 'no_link',
  invalid_request: 'account_missing',
}

export type AttendOutcome = 'started' | 'attended_before' | 'refused' | 'not_due'

/**
 * Creates the meeting of an occurrence that is due. It is created once over all nodes, because marking the occurrence is
 * a part of the same transaction.
 */
export async function attendOccurrence(
  parts: AttendParts,
  occurrence: OccurrenceRow,
): Promise<AttendOutcome> {
  const { db, clock } = parts
  const now = clock.now()
  const calendar = await requireCalendar(db, occurrence.calendar_id)
  const refuse = (reason: UpcomingReason) => storeRefusal(db, occurrence, reason)
  if (await isBotThere(db, occurrence)) return markAttended(db, occurrence)
  const obstacle = await findCalendarObstacle(db, calendar, now)
  const viewer = await readCalendarViewer(db, calendar)
  if (obstacle !== null || viewer === null) return refuse(obstacle ?? 'no_access')
  const { room, starts_at: from, ends_at: to, url } = occurrence
  if (url === null || room === null) return refuse('no_link')
  const { project } = calendar
  if ((await findOpenMeetingInRoom(db, { project, room, from, to })) !== null)
    return refuse('same_room')
  try {
    const request = await toStartRequest(parts, { occurrence, url, calendar, viewer, now })
    await parts.meetings.start(viewer, request, calendar.tokenId, (tx, { meeting }) =>
      claimOccurrence(tx, occurrence, meeting.id),
    )
    return 'started'
  } catch (error) {
    if (error instanceof NotDueAnyMore) return 'not_due'
    const reason = error instanceof ServiceError ? REFUSALS[error.code] : undefined
    if (reason === undefined) throw error
    return refuse(reason)
  }
}

/** Marks the occurrence in the transaction that creates its meeting. */
async function claimOccurrence(tx: Tx, row: OccurrenceRow, meetingId: string): Promise<void> {
  const { numUpdatedRows } = await updateIfDue(tx, row)
    .set({ meeting_id: meetingId, attended_start: row.starts_at })
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new NotDueAnyMore()
}

/** The bot of the time before the occurrence was moved may still be in the room. */
async function isBotThere(db: Db, { meeting_id }: OccurrenceRow): Promise<boolean> {
  if (meeting_id === null) return false
  const meeting = await db
    .selectFrom('meeting')
    .select('status')
    .where('id', '=', meeting_id)
    .executeTakeFirst()
  return meeting !== undefined && meeting.status !== 'ended' && meeting.status !== 'error'
}

async function markAttended(db: Db, row: OccurrenceRow): Promise<AttendOutcome> {
  await updateIfDue(db, row).set({ attended_start: row.starts_at }).execute()
  return 'attended_before'
}

async function storeRefusal(
  db: Db,
  row: OccurrenceRow,
  reason: UpcomingReason,
): Promise<AttendOutcome> {
  await updateIfDue(db, row).set({ decision: 'skip', reason }).execute()
  return 'refused'
}

/** An update that changes nothing when the occurrence was moved, attended or decided otherwise since it was read. */
function updateIfDue(db: Db, { id, starts_at }: OccurrenceRow) {
  return db
    .updateTable('occurrence')
    .where('id', '=', id)
    .where('decision', '=', 'join')
    .where('starts_at', '=', starts_at)
    .where('attended_start', 'is distinct from', starts_at)
}

type Start = {
  occurrence: OccurrenceRow
  url: string
  calendar: Calendar
  viewer: Viewer
  now: Date
}

async function toStartRequest(
  { db, defaultOptions }: AttendParts,
  { occurrence, url, calendar, viewer, now }: Start,
): Promise<StartMeetingRequest> {
  const { account, callbackUrl, task } = calendar
  // The rights of now count: the person may not run the task any more.
  const runsTask =
    task !== null && (await mayAccess(db, viewer, { kind: 'task', id: task, action: 'edit' }))
  const title = occurrence.title.trim()
  return {
    url,
    title: title === '' ? null : title,
    // The lane of a meeting without a receiver exists, but sends no events.
    callbackUrl: callbackUrl ?? `${LISTENER_SCHEME}nobody`,
    project: calendar.project,
    saveTranscript: true,
    joinAt: occurrence.starts_at > now ? occurrence.starts_at : null,
    expectedEndAt: occurrence.ends_at,
    options: {
      ...defaultOptions,
      account,
      events: callbackUrl === null ? [] : defaultOptions.events,
      ...(runsTask && { task }),
    },
  }
}
