import { sql, type Transaction } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Database } from '../db/schema.ts'
import { eventBody, type NewEvent } from './events.ts'
import type { Meeting } from './meeting.ts'
import { isAnnounced, isFinal, statusesBefore, type MeetingStatus, type Reason } from './status.ts'

/** Only inside a transaction: what is said and what is stored change together. */
export type Tx = Transaction<Database>

/** Who may write to a meeting that is being attended. Who was given up holds an old fence. */
export type Hold = { meetingId: string; fence: number }

export type Move = { to: MeetingStatus; reason?: Reason; detail?: string; at: Date }

/**
 * Moves a meeting and records the event, or does neither. False: the move is not in the table, or another
 * writer got there first. With a fence, also when the meeting has a new owner.
 */
export async function moveMeeting(
  tx: Tx,
  meetingId: string,
  { to, reason, detail, at }: Move,
  fence?: number,
): Promise<boolean> {
  const before = await tx
    .selectFrom('meeting')
    .select(['status', 'fence'])
    .where('id', '=', meetingId)
    .forUpdate()
    .executeTakeFirst()
  if (before === undefined || !statusesBefore(to).includes(before.status)) return false
  if (fence !== undefined && fence !== before.fence) return false
  await tx
    .updateTable('meeting')
    .set({
      status: to,
      ...(reason !== undefined && { reason }),
      ...(detail !== undefined && { detail }),
      ...(to === 'live' && { live_at: at }),
      ...(isFinal(to) && { ended_at: at, owner: null, lease_until: null }),
    })
    .where('id', '=', meetingId)
    .execute()
  if (isAnnounced(to)) {
    const payload = {
      status: to,
      previousStatus: before.status,
      ...(reason !== undefined && { reason }),
      ...(detail !== undefined && { detail }),
    }
    await appendEvents(tx, meetingId, at, [{ type: 'meeting_status', payload }])
  }
  return true
}

/** Numbers and stores events in the transaction of what they report. */
export async function appendEvents(
  tx: Tx,
  meetingId: string,
  at: Date,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return
  const { last_sequence: last } = await tx
    .updateTable('meeting')
    .set({ last_sequence: sql`last_sequence + ${events.length}` })
    .where('id', '=', meetingId)
    .returning('last_sequence')
    .executeTakeFirstOrThrow()
  const first = last - events.length + 1
  await tx
    .insertInto('event')
    .values(
      events.map((event, i) => ({
        meeting_id: meetingId,
        sequence: first + i,
        type: event.type,
        at,
        body: eventBody(meetingId, first + i, at, event),
      })),
    )
    .execute()
}

const COLUMNS = [
  'id',
  'platform',
  'url',
  'label',
  'title',
  'project',
  'document_path',
  'status',
  'reason',
  'detail',
  'started_at',
  'live_at',
  'ended_at',
  'participant_count',
  'segment_count',
  'options',
] as const

export function selectMeetings(db: Db) {
  return db.selectFrom('meeting').select(COLUMNS)
}

type MeetingRow = Awaited<ReturnType<ReturnType<typeof selectMeetings>['executeTakeFirstOrThrow']>>

export function toMeeting(row: MeetingRow): Meeting {
  return {
    id: row.id,
    platform: row.platform,
    url: row.url,
    label: row.label,
    title: row.title,
    project: row.project,
    documentPath: row.document_path,
    status: row.status,
    reason: row.reason,
    detail: row.detail,
    startedAt: row.started_at,
    liveAt: row.live_at,
    endedAt: row.ended_at,
    participantCount: row.participant_count,
    segmentCount: row.segment_count,
    options: row.options,
  }
}

export async function findMeeting(db: Db, id: string): Promise<Meeting | null> {
  const row = await selectMeetings(db).where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toMeeting(row)
}
