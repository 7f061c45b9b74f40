import type { ColumnType, Generated } from 'kysely'
import type { AttemptOutcome } from '../../deliveries/lane/retry-policy.ts'
import type { EventType } from '../../meetings/event-types.ts'
import type { NodeRole } from '../nodes/node-roles.ts'
import type { Immutable } from './column.ts'

/** An ordered queue of a meeting's events to one callback URL, delivered one at a time; either the meeting's lane or a replay. */
export interface LaneTableColumns {
  id: Immutable<string>
  meeting_id: Immutable<string>
  kind: Immutable<'meeting' | 'replay'>
  url: Immutable<string>
  /** The token whose secret signs the callbacks. */
  token_id: Immutable<string | null>
  /** Event types to deliver; null for all. */
  events: Immutable<EventType[] | null>
  /** `closed` when the receiver has asked for no more callbacks. */
  state: Generated<'open' | 'closed'>
  /** Events of the lane up to this sequence number are delivered or dead letters. */
  delivered_through: Generated<number>
  /** Last sequence number of a replay; null for a meeting's lane, which follows the meeting. */
  ends_at: Immutable<number | null>
  /** Sequence number of the event before the next one to send; the callback names it as its predecessor. */
  previous_sequence: Generated<number>
  /** Failed attempts in a row for the next event; `rejections` counts those in which the receiver rejected the event itself. */
  failures: Generated<number>
  rejections: Generated<number>
  /** When the receiver began to fail; null after it accepted an event. */
  failing_since: Date | null
  /** When a node must process the lane next; null when there is nothing to deliver. */
  due_at: Date | null
  last_error: string | null
  /** Sequence number of an event that was stored after the end of the meeting; null when there is none. */
  late_sequence: ColumnType<number | null, never, number>
  delivered_count: Generated<number>
  dead_count: Generated<number>
  owner: string | null
  /** True after a person asked for a retry while a node had the lane: the node releases it, due at once. */
  retry_asked: Generated<boolean>
  fence: Generated<number>
  created_at: Immutable<Date>
}

export interface DeliveryAttemptTableColumns {
  /** The value of the X-Service-Delivery-Id header. */
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
  /** The beginning of the receiver's response. */
  answer: Immutable<string>
  next_attempt_at: Immutable<Date | null>
}

/** An event whose delivery was abandoned; a replay can still deliver it. */
export interface DeadLetterTableColumns {
  meeting_id: Immutable<string>
  sequence: Immutable<number>
  reason: Immutable<'rejected' | 'expired'>
  at: Immutable<Date>
}

/** A stored response for requests that repeat an Idempotency-Key. `status` is null while the first request is running. */
export interface IdempotentRequestTableColumns {
  token_id: Immutable<string>
  key: Immutable<string>
  fingerprint: Immutable<Buffer>
  /** Increases with each claim, so that a request whose claim has expired cannot store its response. */
  fence: number
  claimed_until: Date
  status: number | null
  body: string | null
  created_at: Immutable<Date>
}

/** Number of requests per scope, minute and node; nodes add them up to enforce one shared rate limit. */
export interface RequestCountTableColumns {
  scope: Immutable<string>
  minute: Immutable<Date>
  node_id: Immutable<string>
  count: number
}

/** A running node. A node that stops its heartbeat or loses its advisory lock is dead, and its row is deleted. */
export interface NodeTableColumns {
  id: Immutable<string>
  /** Number of the advisory lock that the node holds while it is alive; another one after it has reconnected. */
  lock_number: number
  /** Capacity of the node: bots with a browser, and practice bots without one. */
  bots: number
  practice_bots: number
  /** What the node does. */
  roles: Generated<NodeRole[]>
  /** Whether it can decrypt stored secrets. A node that only attends meetings may lack the key. */
  has_master_key: Generated<boolean>
  beat_at: Date
  /** When the node's heartbeat resumed after an interruption; null when there was none. */
  back_since: Date | null
  /** Where the node has documents: `database`, or `folder` with the id of the folder. Null until it has started. */
  documents: string | null
}

/** The last heartbeat of a node that died. Its meetings were recorded until about then. */
export interface DeadNodeTableColumns {
  id: Immutable<string>
  beat_at: Immutable<Date>
  died_at: Generated<Date>
}
