import type { AreaContext } from '../../db/context.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import { ServiceError, type ErrorCode } from '../../errors.ts'
import { createConcurrencyLimit } from '../../lib/async/queues.ts'
import { createWakeableLoop } from '../../lib/async/wake-up.ts'
import type { Log } from '../../log.ts'
import { ATTEND_LEAD_MS } from '../planning/decide-attendance.ts'
import { type OccurrenceRow, settleRooms } from '../planning/occurrence-store.ts'
import { mayAccess } from '../../access/subjects.ts'
import type { Viewer } from '../../access/viewer.ts'
import { LISTENER_SCHEME } from '../../deliveries/listeners.ts'
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
import { planInTransaction } from '../planning/plan-calendar.ts'
import type { UpcomingReason } from '../planning/reasons.ts'
import { storeInvitation } from '../invitations.ts'
import { toMeetingTitle } from './align-meetings.ts'

type Parts = AttendParts & {
  log: Log
  membership: Pick<NodeMembership, 'nodeId' | 'hasFreshHeartbeat'>
}

const POLL_INTERVAL_MS = 10_000

const BATCH_SIZE = 50

/** A start may wait for a name server, and the other starts must not wait for it. */
const CONCURRENCY = 8

/** What cannot be attended now, for example because all bots are busy, must not delay the others. */
const RETRY_AFTER_ERROR_MS = 30_000

type AttendParts = AreaContext & {
  meetings: Pick<Meetings, 'start'>
  /** The options of a meeting that is started without options. */
  defaultOptions: MeetingOptions
}

/** The first part of the key of room locks. */
const ROOM_LOCK = 4745

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
type AttendOutcome = 'started' | 'attended_before' | 'waits' | 'refused' | 'not_due'

type Claim = { occurrence: OccurrenceRow; calendar: Calendar }

type Start = {
  occurrence: OccurrenceRow
  url: string
  calendar: Calendar
  viewer: Viewer
  now: Date
}

/** Creates the meetings of occurrences shortly before they start. Every node runs one; each meeting is created once. */
export function createAttendRunner(parts: Parts) {
  const { db, clock, log, membership } = parts
  const closing = new AbortController()
  const limit = createConcurrencyLimit(CONCURRENCY)

  /** Occurrences that could not be attended, and when each is retried. */
  const failed = new Map<string, Date>()

  const attend = async (occurrence: OccurrenceRow): Promise<void> => {
    if (closing.signal.aborted) return
    const { id } = occurrence
    const ids = { occurrenceId: id, calendarId: occurrence.calendar_id }
    try {
      const outcome = await attendOccurrence(parts, occurrence)
      failed.delete(id)
      if (outcome === 'started') log.info(ids, 'created the meeting of a calendar')
    } catch (error) {
      failed.set(id, new Date(clock.now().getTime() + RETRY_AFTER_ERROR_MS))
      if (error instanceof ServiceError)
        log.warn({ code: error.code, ...ids }, 'could not create the meeting of a calendar yet')
      else log.error({ err: error, ...ids }, 'failed to create the meeting of a calendar')
    }
  }
  /** Handles everything that is due, each occurrence once. Refusing one may make another one due. */
  const runOnce = async () => {
    const now = clock.now()
    for (const [id, until] of failed) if (until <= now) failed.delete(id)
    const handled = new Set(failed.keys())
    while (!closing.signal.aborted) {
      const due = await findDueOccurrences(db, membership.nodeId, clock.now(), [...handled])
      if (due.length === 0) return
      for (const { id } of due) handled.add(id)
      await Promise.all(due.map((occurrence) => limit(() => attend(occurrence))))
    }
  }
  const loop = createWakeableLoop({
    closing,
    async round() {
      if (membership.hasFreshHeartbeat()) await runOnce()
      return POLL_INTERVAL_MS
    },
    onError(error) {
      log.error({ err: error }, 'failed to look for meetings of calendars')
      return POLL_INTERVAL_MS
    },
  })
  return { ...loop, runOnce }
}

export type AttendRunner = ReturnType<typeof createAttendRunner>

/** Earliest first. Occurrences with equal times are ordered differently on each node, to avoid duplicate work. */
async function findDueOccurrences(
  db: Db,
  nodeId: string,
  now: Date,
  handled: readonly string[],
): Promise<OccurrenceRow[]> {
  return db
    .selectFrom('occurrence')
    .selectAll()
    .where('decision', '=', sql.lit('join'))
    .where(sql<boolean>`attended_start is distinct from starts_at`)
    .where('starts_at', '<=', new Date(now.getTime() + ATTEND_LEAD_MS))
    .where('ends_at', '>', now)
    .where(sql<boolean>`id <> all(${handled}::text[])`)
    .orderBy('starts_at')
    .orderBy(sql`md5(id || ${nodeId})`)
    .limit(BATCH_SIZE)
    .execute()
}

/** Another node has created the meeting, or the plan has changed. Thrown to roll back the start. */
class NotDueAnyMore extends Error {
  override readonly name = 'NotDueAnyMore'
}

/**
 * Creates the meeting of a due occurrence. Across all nodes it is created only once, because the same transaction marks
 * the occurrence.
 */
async function attendOccurrence(
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

async function toStartRequest(
  { db, defaultOptions }: AttendParts,
  { occurrence, url, calendar, viewer, now }: Start,
): Promise<StartMeetingRequest> {
  const { account, speech, callbackUrl, task } = calendar
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
      speech,
      events: callbackUrl === null ? [] : defaultOptions.events,
      ...(runsTask && { task }),
    },
  }
}
