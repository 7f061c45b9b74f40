import { sql } from 'kysely'
import { mayAccess } from '../../access/subjects.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db, Tx } from '../../db/database.ts'
import { LISTENER_SCHEME } from '../../deliveries/listeners.ts'
import { ServiceError, type ErrorCode } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { MeetingOptions } from '../../meetings/meeting.ts'
import type { Meetings } from '../../meetings/meetings.ts'
import { findOpenMeetingInRoom, isMeetingAttended } from '../../meetings/reading/meeting-lists.ts'
import type { StartMeetingRequest } from '../../meetings/starting/new-meeting.ts'
import {
  requireCalendar,
  selectCalendars,
  startsSameMeetings,
  findCalendarObstacle,
  readCalendarViewer,
} from '../calendar-store.ts'
import type { Calendar } from '../calendar.ts'
import { settleRooms, type OccurrenceRow } from '../planning/occurrence-store.ts'
import { planInTransaction } from '../planning/plan-calendar.ts'
import type { UpcomingReason } from '../planning/reasons.ts'
import { storeInvitation } from '../invitations.ts'
import { toMeetingTitle } from './align-meetings.ts'

export type AttendParts = {
  db: Db
  clock: Clock
  meetings: Pick<Meetings, 'start'>
  /** The options of a meeting that is started without options. */
  defaultOptions: MeetingOptions
}

/** The first part of the key of room locks. */
const ROOM_LOCK = 4745

/** Another node has created the meeting, or the plan has changed. Thrown to roll back the start. */
class NotDueAnyMore extends Error {
  override readonly name = 'NotDueAnyMore'
}

/** Errors that every further attempt would repeat, with the reason that people see. Other errors are retried. */
const REFUSALS: Partial<Record<ErrorCode, UpcomingReason>> = {
  forbidden: 'no_access',
  project_not_found: 'no_access',
  callback_url_blocked: 'callback_blocked',
  unsupported_meeting_url: 'no_link',
  invalid_request: 'account_missing',
}

/** Errors that pass by themselves. People see that a bot is still to come. */
const PASSING_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'at_capacity',
  'storage_full',
  'too_many_scheduled',
])

/** `waits`: the bot of an earlier meeting in the room may leave before this meeting starts. */
export type AttendOutcome = 'started' | 'attended_before' | 'waits' | 'refused' | 'not_due'

/**
 * Creates the meeting of a due occurrence. Across all nodes it is created only once, because the same transaction marks
 * the occurrence.
 */
export async function attendOccurrence(
  parts: AttendParts,
  occurrence: OccurrenceRow,
): Promise<AttendOutcome> {
  const { db, clock } = parts
  const now = clock.now()
  const calendar = await requireCalendar(db, occurrence.calendar_id)
  const refuse = (reason: UpcomingReason) => storeRefusal(db, occurrence, reason, now)
  // If the occurrence was moved, the bot for its earlier time may still be in the room.
  const { meeting_id: meetingId } = occurrence
  if (meetingId !== null && (await isMeetingAttended(db, meetingId)))
    return markAttended(db, occurrence)
  const obstacle = await findCalendarObstacle(db, calendar, now)
  const viewer = await readCalendarViewer(db, calendar)
  if (obstacle !== null || viewer === null) return refuse(obstacle ?? 'no_access')
  const { room, starts_at: from, ends_at: to, url } = occurrence
  if (url === null || room === null) return refuse('no_link')
  const { project } = calendar
  const other = await findOpenMeetingInRoom(db, { project, room, from, to })
  if (other?.isOverrun === true && now < from) return 'waits'
  // For good, because a person who stops that bot does not want another one.
  if (other !== null) return markAttended(db, occurrence, 'same_room')
  try {
    const request = await toStartRequest(parts, { occurrence, url, calendar, viewer, now })
    await parts.meetings.start(viewer, request, calendar.tokenId, (tx, { meeting }) =>
      claimOccurrence(tx, { occurrence, calendar }, meeting.id),
    )
    return 'started'
  } catch (error) {
    if (error instanceof NotDueAnyMore) return 'not_due'
    if (!(error instanceof ServiceError)) throw error
    const reason = REFUSALS[error.code]
    if (reason !== undefined) return refuse(reason)
    if (PASSING_ERRORS.has(error.code))
      await updateIfDue(db, occurrence).set({ reason: 'no_bot_free' }).execute()
    throw error
  }
}

type Claim = { occurrence: OccurrenceRow; calendar: Calendar }

/**
 * Marks the occurrence in the transaction that creates its meeting. The calendar's settings may have changed since they
 * were read. Any later change waits for this transaction and then withdraws the meeting.
 */
async function claimOccurrence(
  tx: Tx,
  { occurrence, calendar }: Claim,
  meetingId: string,
): Promise<void> {
  const current = await selectCalendars(tx)
    .where('id', '=', calendar.id)
    .forShare()
    .executeTakeFirst()
  if (current === undefined || current.isPaused || !startsSameMeetings(current, calendar))
    throw new NotDueAnyMore()
  await requireEmptyRoom(tx, { occurrence, calendar }, meetingId)
  const { numUpdatedRows } = await updateIfDue(tx, occurrence)
    .set({ meeting_id: meetingId, attended_start: occurrence.starts_at, reason: 'will_join' })
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new NotDueAnyMore()
  await storeInvitation(tx, occurrence, meetingId)
}

/** Two invitations to one room may be started at the same time. The second one waits here and then finds the first. */
async function requireEmptyRoom(
  tx: Tx,
  { occurrence, calendar }: Claim,
  meetingId: string,
): Promise<void> {
  const { room, starts_at: from, ends_at: to } = occurrence
  if (room === null) throw new NotDueAnyMore()
  const { project } = calendar
  const key = JSON.stringify([project, room])
  await sql`select pg_advisory_xact_lock(${ROOM_LOCK}::int, hashtext(${key}))`.execute(tx)
  const other = await findOpenMeetingInRoom(tx, { project, room, from, to, except: meetingId })
  if (other !== null) throw new NotDueAnyMore()
}

/** `same_room`: the bot of another meeting attends it. That meeting stays independent of this occurrence. */
async function markAttended(
  db: Db,
  row: OccurrenceRow,
  reason?: 'same_room',
): Promise<AttendOutcome> {
  await updateIfDue(db, row)
    .set({ attended_start: row.starts_at })
    .set(reason === undefined ? { reason: 'will_join' } : { decision: 'skip', reason })
    .execute()
  return 'attended_before'
}

/** If an invitation is refused, another one to the same meeting takes its place. */
async function storeRefusal(
  db: Db,
  row: OccurrenceRow,
  reason: UpcomingReason,
  now: Date,
): Promise<AttendOutcome> {
  await planInTransaction(db, row.calendar_id, async (tx, { project }) => {
    await updateIfDue(tx, row).set({ decision: 'skip', reason }).execute()
    if (row.room !== null) await settleRooms(tx, project, [row.room], now)
  })
  return 'refused'
}

/** An update that changes nothing if the occurrence was moved, attended or decided about since it was read. */
function updateIfDue(db: Db, { id, starts_at, url }: OccurrenceRow) {
  return db
    .updateTable('occurrence')
    .where('id', '=', id)
    .where('decision', '=', 'join')
    .where('starts_at', '=', starts_at)
    .where('url', 'is not distinct from', url)
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
  // Checked now, because the person may have lost the right to run the task.
  const runsTask =
    task !== null && (await mayAccess(db, viewer, { kind: 'task', id: task, action: 'edit' }))
  return {
    url,
    title: toMeetingTitle(occurrence.title),
    // Without a receiver, the meeting's lane exists but sends no events.
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
