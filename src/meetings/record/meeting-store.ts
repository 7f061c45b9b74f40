import type { UpdateObject } from 'kysely'
import { sql, type RawBuilder } from 'kysely'
import type { Insight, InsightEngine } from '../../coach/coach.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Database } from '../../db/schema.ts'
import { makeLaneDueForLateEvent } from '../../deliveries/lane/lane-rows.ts'
import { enqueueMessages } from '../../deliveries/notifications/enqueue-messages.ts'
import { ServiceError } from '../../errors.ts'
import type { SegmentSource } from '../captions/segment-sources.ts'
import {
  formatEventBody,
  type EventContent,
  type EventPayload,
  type EventType,
} from '../event-types.ts'
import { findShownTitle, type Meeting } from '../meeting.ts'
import {
  isAnnouncedStatus,
  isFinalStatus,
  listStatusesThatCanChangeTo,
  type MeetingStatus,
  type EndReason,
} from '../status.ts'
import type { TranscriptGap } from '../transcript/source.ts'
import { endOpenGapAndTakeUnreported, toEventGapFields } from './gaps.ts'

/**
 * A node's right to write to a meeting. The fence increases with every claim, so writes of former owners are rejected.
 */
export type MeetingLease = { meetingId: string; fence: number }

export type StatusChange = { to: MeetingStatus; reason?: EndReason; detail?: string; at: Date }

export type EndReasonWithDetail = { reason: EndReason; detail?: string }

/** Another node owns the meeting now. Code that catches this error must stop writing to the meeting. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'

  constructor(meetingId: string) {
    super(`meeting ${meetingId} has another owner`)
  }
}

const STATUSES_AFTER_RECORDING: ReadonlySet<MeetingStatus> = new Set(['leaving', 'ended', 'error'])

export type SegmentRow = {
  number: number
  captionId: string
  speaker: string
  text: string
  startedAt: Date
  source: SegmentSource
  /** True if words before or inside the text are missing. */
  isIncomplete: boolean
  /** The gaps between the previous segment and this one. */
  gapsBefore?: readonly TranscriptGap[]
}
/** `body` has the exact bytes that are sent to the callback URL. */
export type EventRow = { sequence: number; type: EventType; at: Date; body: string }
export type InsightRow = Insight & { id: string; engine: InsightEngine; at: Date }
/** `at` is when the participant joined, or left if `hasLeft` is true. */
export type ParticipantJoinOrLeaveRow = {
  id: string
  name: string
  isHost: boolean
  at: Date
  hasLeft: boolean
}

/**
 * Changes the status of a meeting and returns the stored `meeting_status` event, or no event if the status is not
 * announced. If the current status does not allow the change, returns null and changes nothing.
 */
export async function changeMeetingStatus(
  tx: Tx,
  meetingId: string,
  { to, reason, detail, at }: StatusChange,
  owner?: { fence: number; nextSequence: number },
): Promise<EventRow[] | null> {
  const before = await tx
    .selectFrom('meeting')
    .select(['status', 'fence', 'reason as storedReason'])
    .where('id', '=', meetingId)
    .forUpdate()
    .executeTakeFirst()
  if (before === undefined || !listStatusesThatCanChangeTo(to).includes(before.status)) return null
  if (owner !== undefined && owner.fence !== before.fence) throw new LeaseLost(meetingId)
  // A meeting with an end reason is over and only waits for its document, so a stop does not change the reason.
  const hasEndReason = to === 'stopping' && before.storedReason !== null
  await tx
    .updateTable('meeting')
    .set({
      status: to,
      ...(reason !== undefined && !hasEndReason && { reason }),
      ...(detail !== undefined && { detail }),
      ...(to === 'live' && { live_at: at }),
      ...(isFinalStatus(to) && { ended_at: at, owner: null, claim_after: null }),
      // A scheduled meeting may be stopped before its join time. It must not start later than it ended.
      ...(isFinalStatus(to) && {
        started_at: sql<Date>`case when join_at is null then started_at else least(started_at, ${at}::timestamptz) end`,
      }),
    })
    .where('id', '=', meetingId)
    .execute()
  if (!isAnnouncedStatus(to)) return []
  const gaps = STATUSES_AFTER_RECORDING.has(to)
    ? await endOpenGapAndTakeUnreported(tx, meetingId, at)
    : []
  const payload = {
    status: to,
    previousStatus: before.status,
    ...(reason !== undefined && { reason }),
    ...(detail !== undefined && { detail }),
    ...toEventGapFields(gaps),
  }
  if (to === 'error') await enqueueFailureMessages(tx, meetingId, payload, at)
  const events: EventContent[] = [{ type: 'meeting_status', payload }]
  return appendEvents(tx, meetingId, at, events, owner?.nextSequence)
}

async function enqueueFailureMessages(
  tx: Tx,
  meetingId: string,
  payload: EventPayload<'meeting_status'>,
  at: Date,
): Promise<void> {
  const meeting = await requireMeeting(tx, meetingId)
  await enqueueMessages(tx, {
    meetingId,
    project: meeting.project,
    title: findShownTitle(meeting),
    path: `/meetings/${encodeURIComponent(meetingId)}`,
    events: [{ type: 'meeting_status', payload }],
    at,
  })
}

/** The event of a status change whose commit succeeded although the response was lost; null if there is none. */
export async function findEventsOfCommittedStatusChange(
  tx: Tx,
  { meetingId, fence }: MeetingLease,
  { to }: StatusChange,
  sequence: number,
): Promise<EventRow[] | null> {
  const rows = await tx
    .selectFrom('event')
    .innerJoin('meeting', 'meeting.id', 'event.meeting_id')
    .select(['event.sequence', 'event.type', 'event.at', 'event.body'])
    .where('meeting.id', '=', meetingId)
    .where('meeting.fence', '=', fence)
    .where('event.sequence', '=', sequence)
    .where('event.type', '=', 'meeting_status')
    .where(sql<boolean>`event.body::json -> 'payload' ->> 'status' = ${to}`)
    .execute()
  return rows.length === 0 ? null : rows
}

/**
 * Stores the end reason before the final status. After a crash, the next owner can then finish the meeting without
 * another bot.
 */
export async function saveEndReason(
  db: Db,
  lease: MeetingLease,
  { reason, detail }: EndReasonWithDetail,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('meeting')
    .set({ reason, detail: detail ?? null })
    .where('id', '=', lease.meetingId)
    .where('fence', '=', lease.fence)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LeaseLost(lease.meetingId)
}

/** Runs `work` in a transaction that locks the meeting's row, so the lease stays valid until the transaction ends. */
export function runTransactionUnderLease<T>(
  db: Db,
  lease: MeetingLease,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await lockUnderLease(tx, lease, sql`fence`)
    return work(tx)
  })
}

/**
 * Like `runTransactionUnderLease`, for work on the meeting's document. A file has no fence, so the row lock keeps other
 * nodes from claiming the meeting during the work. The transaction stores nothing, so its commit need not wait for the
 * disk. `edit` is the number of the meeting's newest edit.
 */
export function runFileWorkUnderLease<T>(
  db: Db,
  lease: MeetingLease,
  work: (tx: Tx, edit: number) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    const commitLater = sql`set_config('synchronous_commit', 'off', true)`
    return work(tx, await lockUnderLease(tx, lease, commitLater))
  })
}

/** Locks the meeting's row and returns the number of its newest edit. Evaluates `also` in the same statement. */
async function lockUnderLease(
  tx: Tx,
  { meetingId, fence }: MeetingLease,
  also: RawBuilder<unknown>,
): Promise<number> {
  const row = await tx
    .selectFrom('meeting')
    .select(['fence', 'edit_count', also.as('also')])
    .where('id', '=', meetingId)
    .forUpdate()
    .executeTakeFirst()
  if (row?.fence !== fence) throw new LeaseLost(meetingId)
  return row.edit_count
}

/**
 * Numbers and stores events in the transaction of the change they report. The meeting's owner passes the next sequence
 * number. Without it, numbers that are reserved for partials are skipped.
 */
export async function appendEvents(
  tx: Tx,
  meetingId: string,
  at: Date,
  events: readonly EventContent[],
  nextSequence?: number,
): Promise<EventRow[]> {
  const next = nextSequence ?? sql<number>`greatest(last_sequence, reserved_sequence) + 1`
  const { last_sequence: last } = await tx
    .updateTable('meeting')
    .set({ last_sequence: sql`${next}::integer + ${events.length}::integer - 1` })
    .where('id', '=', meetingId)
    .returning('last_sequence')
    .executeTakeFirstOrThrow()
  const rows = toEventRows(meetingId, last - events.length + 1, at, events)
  await tx
    .insertInto('event')
    .values(rows.map((row) => ({ ...row, meeting_id: meetingId })))
    .execute()
  return rows
}

export function toEventRows(
  meetingId: string,
  first: number,
  at: Date,
  events: readonly EventContent[],
): EventRow[] {
  return events.map((event, i) => ({
    sequence: first + i,
    type: event.type,
    at,
    body: formatEventBody(meetingId, first + i, at, event),
  }))
}

const MEETING_COLUMNS = [
  'id',
  'platform',
  'url',
  'label',
  'title',
  'recap_title',
  'project',
  'document_path',
  'status',
  'reason',
  'detail',
  'started_at',
  'join_at',
  'live_at',
  'ended_at',
  'imported_at',
  'segment_count',
  'options',
] as const

export function createMeetingQuery(db: Db) {
  return db
    .selectFrom('meeting')
    .select(MEETING_COLUMNS)
    .select((eb) =>
      eb
        .case()
        .when('ended_at', 'is', null)
        .then(eb.ref('participant_count'))
        .else(
          eb
            .selectFrom('participant')
            .whereRef('participant.meeting_id', '=', 'meeting.id')
            .select(eb.cast<number>(eb.fn.countAll(), 'integer').as('count')),
        )
        .end()
        .$notNull()
        .as('participant_count'),
    )
}

type MeetingRow = Awaited<
  ReturnType<ReturnType<typeof createMeetingQuery>['executeTakeFirstOrThrow']>
>

export function convertMeetingRow(row: MeetingRow): Meeting {
  return {
    id: row.id,
    platform: row.platform,
    url: row.url,
    label: row.label,
    title: row.title,
    recapTitle: row.recap_title,
    project: row.project,
    documentPath: row.document_path,
    status: row.status,
    reason: row.reason,
    detail: row.detail,
    startedAt: row.started_at,
    joinAt: row.join_at,
    liveAt: row.live_at,
    endedAt: row.ended_at,
    importedAt: row.imported_at,
    participantCount: row.participant_count,
    segmentCount: row.segment_count,
    options: row.options,
  }
}

/** Changes columns of a meeting's row. The status of an active meeting changes with `changeMeetingStatus`. */
export async function updateMeeting(
  db: Db,
  id: string,
  values: UpdateObject<Database, 'meeting'>,
): Promise<void> {
  await db.updateTable('meeting').set(values).where('id', '=', id).execute()
}

/** Stores the title that a model gave to a meeting. Null if it gave none. */
export async function setRecapTitle(tx: Tx, id: string, title: string | null): Promise<void> {
  await tx
    .updateTable('meeting')
    .set({ recap_title: title })
    .where('id', '=', id)
    .where('recap_title', 'is distinct from', title)
    .execute()
}

export async function findMeeting(db: Db, id: string): Promise<Meeting | null> {
  const row = await createMeetingQuery(db).where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : convertMeetingRow(row)
}

export async function requireMeeting(db: Db, id: string): Promise<Meeting> {
  const meeting = await findMeeting(db, id)
  if (meeting === null) throw new ServiceError('meeting_not_found')
  return meeting
}

/**
 * Stores events of an ended meeting. Its lane may already have sent everything, so the lane becomes due again. The
 * caller publishes the rows after the commit.
 */
export async function appendLateEvents(
  tx: Tx,
  meetingId: string,
  at: Date,
  events: readonly EventContent[],
): Promise<EventRow[]> {
  if (events.length === 0) return []
  const rows = await appendEvents(tx, meetingId, at, events)
  const last = rows.at(-1)
  if (last !== undefined) await makeLaneDueForLateEvent(tx, meetingId, last.sequence, at)
  return rows
}
