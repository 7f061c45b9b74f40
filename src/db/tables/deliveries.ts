import type { Generated } from 'kysely'
import type { AttemptOutcome } from '../../deliveries/judge.ts'
import type { EventType } from '../../meetings/events.ts'
import type { Fixed } from './column.ts'

/** The way of events to one callback URL: of a meeting, or of a replay of part of one. In order, one at a time. */
export interface LaneTable {
  id: Fixed<string>
  meeting_id: Fixed<string>
  kind: Fixed<'meeting' | 'replay'>
  url: Fixed<string>
  /** Whose secret signs. */
  token_id: Fixed<string | null>
  /** Types to be sent; null: all. */
  events: Fixed<EventType[] | null>
  /** `closed`: the receiver wants no more. */
  state: Generated<'open' | 'closed'>
  /** The cursor: whatever has a number up to this is settled. */
  delivered_through: Generated<number>
  /** Last sequence of a replay; null follows the meeting. */
  ends_at: Fixed<number | null>
  /** The event before the head, as the receiver should know it. */
  previous_sequence: Generated<number>
  /** Attempts for the head that failed in a row, and of them those that blame the event. */
  failures: Generated<number>
  rejections: Generated<number>
  rejected_since: Date | null
  /** When somebody has to look at it; null: there is nothing to do. */
  due_at: Date | null
  last_error: string | null
  delivered_count: Generated<number>
  dead_count: Generated<number>
  owner: string | null
  fence: Generated<number>
  created_at: Fixed<Date>
}

export interface AttemptTable {
  /** What X-Service-Delivery-Id said. */
  id: Fixed<string>
  lane_id: Fixed<string>
  meeting_id: Fixed<string>
  sequence: Fixed<number>
  type: Fixed<string>
  started_at: Fixed<Date>
  duration_ms: Fixed<number>
  outcome: Fixed<AttemptOutcome>
  status: Fixed<number | null>
  error: Fixed<string | null>
  /** The beginning of what the receiver said. */
  answer: Fixed<string>
  next_attempt_at: Fixed<Date | null>
}

/** An event that was given up; a replay can still bring it. */
export interface DeadLetterTable {
  meeting_id: Fixed<string>
  sequence: Fixed<number>
  reason: Fixed<'rejected' | 'expired'>
  at: Fixed<Date>
}
