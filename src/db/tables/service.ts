import type { ColumnType, Generated } from 'kysely'
import type { AttemptOutcome } from '../../deliveries/lane/retry-policy.ts'
import type { EventType } from '../../meetings/event-types.ts'
import type { NodeRole } from '../nodes/node-roles.ts'
import type { Immutable } from './column.ts'

/** An ordered queue of a meeting's events to one callback URL: either the meeting's lane or a replay. */
export interface LaneTableColumns {
  id: Immutable<string>
  meeting_id: Immutable<string>
  kind: Immutable<'meeting' | 'replay'>
  url: Immutable<string>
  /** The token whose secret signs the callbacks. */
  token_id: Immutable<string | null>
  /** Event types to deliver. Null for all. */
  events: Immutable<EventType[] | null>
  /** `closed` if the receiver asked for no more callbacks. */
  state: Generated<'open' | 'closed'>
  /** The lane's events up to this sequence are delivered or dead letters. */
  delivered_through: Generated<number>
  /** Last sequence of a replay. Null for a meeting's lane, which follows the meeting. */
  ends_at: Immutable<number | null>
  /** Sequence of the event before the next one to send. The callback names it as its predecessor. */
  previous_sequence: Generated<number>
  /** Consecutive failed attempts for the next event. `rejections` counts how often the receiver rejected the event. */
  failures: Generated<number>
  rejections: Generated<number>
  /** When the receiver began to fail. Null after it accepted an event. */
  failing_since: Date | null
  /** When a node must process the lane next. Null if there is nothing to deliver. */
  due_at: Date | null
  last_error: string | null
  /** Sequence of an event that was stored after the end of the meeting. Null if there is none. */
  late_sequence: ColumnType<number | null, never, number>
  delivered_count: Generated<number>
  dead_count: Generated<number>
  owner: string | null
  /** True after a person asked for a retry while a node owned the lane. The node then releases it, due at once. */
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

/** An event whose delivery was given up. A replay can still deliver it. */
export interface DeadLetterTableColumns {
  meeting_id: Immutable<string>
  sequence: Immutable<number>
  reason: Immutable<'rejected' | 'expired'>
  at: Immutable<Date>
}

/** A stored response for requests that repeat an Idempotency-Key. `status` is null while the first request runs. */
export interface IdempotentRequestTableColumns {
  token_id: Immutable<string>
  key: Immutable<string>
  fingerprint: Immutable<Buffer>
  /** Increases with each claim, so that a request with an expired claim can't store its response. */
  fence: number
  claimed_until: Date
  status: number | null
  body: string | null
  created_at: Immutable<Date>
}

/** Number of requests per scope, minute and node. Nodes add them up to enforce one shared rate limit. */
export interface RequestCountTableColumns {
  scope: Immutable<string>
  minute: Immutable<Date>
  node_id: Immutable<string>
  count: number
}

/** A running node. If it stops its heartbeat or loses its advisory lock, it is dead and its row is deleted. */
export interface NodeTableColumns {
  id: Immutable<string>
  /** Number of the advisory lock that the node holds while it is alive. It changes when the node reconnects. */
  lock_number: number
  /** Capacity of the node: bots with a browser, and practice bots without one. */
  bots: number
  practice_bots: number
  roles: Generated<NodeRole[]>
  /** True if it can decrypt stored secrets. A node that only attends meetings may lack the key. */
  has_master_key: Generated<boolean>
  beat_at: Date
  /** When the node's heartbeat resumed after an interruption. Null if there was none. */
  back_since: Date | null
  /** Where the node keeps its documents: `database`, or `folder` with the folder's id. Null until it has started. */
  documents: string | null
}

/** The last heartbeat of a node that died. Its meetings were recorded until about then. */
export interface DeadNodeTableColumns {
  id: Immutable<string>
  beat_at: Immutable<Date>
  died_at: Generated<Date>
}
