import type { Generated } from 'kysely'
import type { AttemptOutcome } from '../../deliveries/lane/retry-policy.ts'
import type { EventType } from '../../meetings/event-types.ts'
import type { Immutable } from './column.ts'

/** The way of events to one callback URL: of a meeting, or of a replay of part of one. In order, one at a time. */
export interface LaneTable {
  id: Immutable<string>
  meeting_id: Immutable<string>
  kind: Immutable<'meeting' | 'replay'>
  url: Immutable<string>
  /** Whose secret signs. */
  token_id: Immutable<string | null>
  /** Types to be sent; null: all. */
  events: Immutable<EventType[] | null>
  /** `closed`: the receiver wants no more. */
  state: Generated<'open' | 'closed'>
  /** The cursor: whatever has a number up to this is settled. */
  delivered_through: Generated<number>
  /** Last sequence of a replay; null follows the meeting. */
  ends_at: Immutable<number | null>
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
  created_at: Immutable<Date>
}

export interface AttemptTable {
  /** What X-Service-Delivery-Id said. */
  id: Immutable<string>
  lane_id: Immutable<string>
  meeting_id: Immutable<string>
  sequence: Immutable<number>
  type: Immutable<string>
  started_at: Immutable<Date>
  duration_ms: Immutable<number>
  outcome: Immutable<AttemptOutcome>
  status: Immutable<number | null>
  error: Immutable<string | null>
  /** The beginning of what the receiver said. */
  answer: Immutable<string>
  next_attempt_at: Immutable<Date | null>
}

/** An event that was given up; a replay can still bring it. */
export interface DeadLetterTable {
  meeting_id: Immutable<string>
  sequence: Immutable<number>
  reason: Immutable<'rejected' | 'expired'>
  at: Immutable<Date>
}
