import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { InsightCategory, InsightEngine, InsightSeverity } from '../../coach/coach.ts'
import type { EventType } from '../../meetings/event-types.ts'
import type { MeetingOptions } from '../../meetings/meeting.ts'
import type { MeetingStatus, EndReason } from '../../meetings/status.ts'
import type { WarningCode } from '../../meetings/warning-codes.ts'
import type { PlatformName, PageSummary } from '../../bots/platforms/platform.ts'
import type { Immutable } from './column.ts'

export interface MeetingTable {
  id: Immutable<string>
  platform: Immutable<PlatformName>
  url: Immutable<string>
  room: Immutable<string>
  label: Immutable<string>
  title: Immutable<string | null>
  project: Immutable<string>
  /** Null when nothing is to be saved; otherwise set before the start is answered. */
  document_path: Immutable<string | null>
  callback_url: Immutable<string>
  token_id: Immutable<string | null>
  options: JSONColumnType<MeetingOptions>
  /** Of the options: the database counts by it. */
  account: ColumnType<string | null, never, never>
  status: MeetingStatus
  reason: EndReason | null
  detail: string | null
  started_at: Immutable<Date>
  live_at: Date | null
  ended_at: Date | null
  /** Number of the newest stored event. */
  last_sequence: Generated<number>
  /** Numbers up to here may have been given to events that are not stored (partials). */
  reserved_sequence: Generated<number>
  segment_count: Generated<number>
  /** Segments that are in the document. */
  flushed_count: Generated<number>
  /** Bytes of the document after that flush: what is behind them was never acknowledged. */
  document_size: Generated<number>
  participant_count: Generated<number>
  /** What became of its bots of late, by weight: `meetings/runner.ts`. */
  attempts: Generated<number>
  /** Tokens that the coach's language model has used. */
  coach_tokens: Generated<number>
  /** The node whose bot attends; with the fence, who may write. */
  owner: string | null
  fence: Generated<number>
  /** Given up until then: nobody takes it up before. */
  claim_after: Date | null
  claimed_at: Date | null
}

/** Finalized: written once, never changed. */
export interface SegmentTable {
  meeting_id: Immutable<string>
  number: Immutable<number>
  caption_id: Immutable<string>
  speaker: Immutable<string>
  text: Immutable<string>
  started_at: Immutable<Date>
  /** What search looks at: `projects/search/words.ts`. */
  words: Immutable<string | null>
}

export interface ParticipantTable {
  meeting_id: Immutable<string>
  id: Immutable<string>
  name: string
  is_host: Generated<boolean>
  joined_at: Date
  left_at: Date | null
}

/** The body is the exact text that was or will be sent. */
export interface EventTable {
  meeting_id: Immutable<string>
  sequence: Immutable<number>
  type: Immutable<EventType>
  at: Immutable<Date>
  body: Immutable<string>
  /** The transaction that wrote it: with meeting and sequence, one order over all meetings. */
  written_by: Generated<string>
}

export interface InsightTable {
  meeting_id: Immutable<string>
  id: Immutable<string>
  category: Immutable<InsightCategory>
  severity: Immutable<InsightSeverity>
  title: Immutable<string>
  text: Immutable<string>
  speaker: Immutable<string | null>
  engine: Immutable<InsightEngine>
  segment_numbers: Immutable<number[]>
  at: Immutable<Date>
}

/** What a page looked like when a visit went wrong. It holds what people wrote: served, never logged. */
export interface EvidenceTable {
  meeting_id: Immutable<string>
  number: Immutable<number>
  at: Immutable<Date>
  state: Immutable<string>
  marks: Immutable<string[]>
  survey: JSONColumnType<PageSummary, string, never>
  /** A JPEG. */
  screenshot: Immutable<Buffer | null>
}

/** Something that did not stop the bot; once for each subject. */
export interface MeetingWarningTable {
  meeting_id: Immutable<string>
  code: Immutable<WarningCode>
  subject: Immutable<string>
  text: string
  at: Date
}

/** Somebody whom bots may come as. */
export interface BotAccountTable {
  name: Immutable<string>
  platform: Immutable<PlatformName>
  /** Bots that may use it at once, over all nodes. */
  bot_limit: number
  /** What a signed-in browser kept, sealed with the master key. */
  state: Buffer
  /** Rises with each change of the state: who read an older one cannot write. */
  version: Generated<number>
  added_at: Immutable<Date>
  last_used_at: Date | null
  refreshed_at: Date | null
}

/** What a removed meeting took with it: numbers only. */
export interface RemovalTable {
  id: Generated<string>
  at: Immutable<Date>
  meeting_id: Immutable<string>
  removed_by: Immutable<string>
  counts: JSONColumnType<Record<string, number>>
}
