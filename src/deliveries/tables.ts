import type { ColumnType, Generated } from 'kysely'
import type { Immutable } from '../db/schema.ts'
import type { EventType } from '../meetings/event-types.ts'
import type { LaneKind } from './lane/lane-record.ts'
import type { AttemptOutcome } from './lane/retry-policy.ts'
import type { NotificationFormat, NotificationTopic } from './notifications/notification.ts'

declare module '../db/schema.ts' {
  interface Database {
    /**
     * An ordered queue to one receiver: of a meeting's events to a callback URL (the meeting's lane or a replay), or of
     * a project's messages to the webhook of a chat.
     */
    lane: {
      id: Immutable<string>
      /** Null for messages. */
      meeting_id: Immutable<string | null>
      /** Only for messages. */
      notification_id: Immutable<string | null>
      kind: Immutable<LaneKind>
      /** The callback URL. For messages a name, because the URL of the webhook is secret. */
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
    delivery_attempt: {
      /** The value of the X-Service-Delivery-Id header. */
      id: Immutable<string>
      lane_id: Immutable<string>
      /** Null for a message. */
      meeting_id: Immutable<string | null>
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
    /** The webhook of a chat, to which a project sends messages. */
    notification: {
      id: Immutable<string>
      project: Immutable<string>
      name: string
      format: NotificationFormat
      topics: NotificationTopic[]
      /** The host of the URL. */
      host: string
      /** The URL, encrypted with the master key. */
      url_sealed: Buffer
      /** The sequence of the newest message. */
      last_sequence: Generated<number>
      /** As in the audit log. */
      created_by: Immutable<string>
      created_at: Immutable<Date>
    }
    /** What a notification reports. The request is made of it when it is sent. */
    notification_message: {
      notification_id: Immutable<string>
      sequence: Immutable<number>
      /** Null for a task. */
      meeting_id: Immutable<string | null>
      /** The topic of the first event. */
      type: Immutable<NotificationTopic>
      at: Immutable<Date>
      /** A `NotificationMessage` as JSON. */
      body: Immutable<string>
      /** The step of a trace that stored it. */
      trace_parent: ColumnType<string | null, string | null | undefined, never>
    }
    /** An event whose delivery was given up. A replay can still deliver it. */
    dead_letter: {
      meeting_id: Immutable<string>
      sequence: Immutable<number>
      reason: Immutable<'rejected' | 'expired'>
      at: Immutable<Date>
    }
  }
}
