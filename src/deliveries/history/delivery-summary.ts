import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { HELD_BACK_LAST_ERROR } from '../lane/lane-record.ts'
import { describeLastError, type CallbackProblem } from './callback-problem.ts'

export type MeetingDeliveryState = 'ok' | 'waiting' | 'retrying' | 'blocked' | 'closed'

/** The state of the callbacks of one meeting. */
export type MeetingDeliverySummary = {
  /**
   * `waiting`: callbacks of other meetings to the same receiver, signed with the same token, fail, so these wait.
   * `blocked`: the receiver has failed for minutes, or it rejects the oldest undelivered event.
   */
  state: MeetingDeliveryState
  pending: number
  oldestPendingAgeMs: number | null
  delivered: number
  failed: number
  lastError: string | null
  /** The same for people. */
  problem: CallbackProblem | null
  nextAttemptAt: Date | null
}

/** From this number of failures in a row on, the receiver probably needs a person to fix it. */
const BLOCKED_AFTER_FAILURES = 8

type Row = {
  meeting_id: string
  state: 'open' | 'closed'
  failures: number
  rejections: number
  due_at: Date | null
  last_error: string | null
  delivered_count: number
  dead_count: number
  pending: number
  oldest: Date | null
}

export async function summariseDeliveriesByMeeting(
  db: Db,
  meetingIds: readonly string[],
  now: Date,
): Promise<Map<string, MeetingDeliverySummary>> {
  if (meetingIds.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select l.*, waiting.pending::int, waiting.oldest
    from lane l, lateral (
      select count(*) as pending, min(e.at) as oldest from event e
      where e.meeting_id = l.meeting_id and e.sequence > l.delivered_through
        and (l.events is null or e.type = any(l.events))
    ) as waiting
    where l.kind = 'meeting' and l.meeting_id = any(${meetingIds})`.execute(db)
  return new Map(rows.map((row) => [row.meeting_id, toSummary(row, now)]))
}

function toSummary(row: Row, now: Date): MeetingDeliverySummary {
  return {
    state: stateOf(row),
    pending: row.pending,
    oldestPendingAgeMs:
      row.oldest === null ? null : Math.max(0, now.getTime() - row.oldest.getTime()),
    delivered: row.delivered_count,
    failed: row.dead_count,
    lastError: row.last_error,
    problem: describeLastError(row.last_error),
    nextAttemptAt: row.failures > 0 ? row.due_at : null,
  }
}

function stateOf({
  state,
  failures,
  rejections,
  due_at,
  last_error,
}: Row): MeetingDeliverySummary['state'] {
  if (state === 'closed') return 'closed'
  // No due time means that nothing is left to send.
  if (due_at === null) return 'ok'
  if (rejections > 0 || failures >= BLOCKED_AFTER_FAILURES) return 'blocked'
  if (failures > 0) return 'retrying'
  return last_error === HELD_BACK_LAST_ERROR ? 'waiting' : 'ok'
}
