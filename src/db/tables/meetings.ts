import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { InsightCategory, InsightEngine, InsightSeverity } from '../../coach/coach.ts'
import type { EventType } from '../../meetings/events.ts'
import type { MeetingOptions } from '../../meetings/meeting.ts'
import type { MeetingStatus, Reason } from '../../meetings/status.ts'
import type { WarningCode } from '../../meetings/warnings.ts'
import type { PlatformName, Survey } from '../../platforms/platform.ts'
import type { Fixed } from './column.ts'

export interface MeetingTable {
  id: Fixed<string>
  platform: Fixed<PlatformName>
  url: Fixed<string>
  room: Fixed<string>
  label: Fixed<string>
  title: Fixed<string | null>
  project: Fixed<string>
  /** Null when nothing is to be saved; otherwise set before the start is answered. */
  document_path: Fixed<string | null>
  callback_url: Fixed<string>
  token_id: Fixed<string | null>
  options: JSONColumnType<MeetingOptions>
  /** Of the options: the database counts by it. */
  account: ColumnType<string | null, never, never>
  status: MeetingStatus
  reason: Reason | null
  detail: string | null
  started_at: Fixed<Date>
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
  meeting_id: Fixed<string>
  number: Fixed<number>
  caption_id: Fixed<string>
  speaker: Fixed<string>
  text: Fixed<string>
  started_at: Fixed<Date>
  /** What search looks at: `projects/search/words.ts`. */
  words: Fixed<string | null>
}

export interface ParticipantTable {
  meeting_id: Fixed<string>
  id: Fixed<string>
  name: string
  is_host: Generated<boolean>
  joined_at: Date
  left_at: Date | null
}

/** The body is the exact text that was or will be sent. */
export interface EventTable {
  meeting_id: Fixed<string>
  sequence: Fixed<number>
  type: Fixed<EventType>
  at: Fixed<Date>
  body: Fixed<string>
  /** The transaction that wrote it: with meeting and sequence, one order over all meetings. */
  written_by: Generated<string>
}

export interface InsightTable {
  meeting_id: Fixed<string>
  id: Fixed<string>
  category: Fixed<InsightCategory>
  severity: Fixed<InsightSeverity>
  title: Fixed<string>
  text: Fixed<string>
  speaker: Fixed<string | null>
  engine: Fixed<InsightEngine>
  segment_numbers: Fixed<number[]>
  at: Fixed<Date>
}

/** What a page looked like when a visit went wrong. It holds what people wrote: served, never logged. */
export interface EvidenceTable {
  meeting_id: Fixed<string>
  number: Fixed<number>
  at: Fixed<Date>
  state: Fixed<string>
  marks: Fixed<string[]>
  survey: JSONColumnType<Survey, string, never>
  /** A JPEG. */
  screenshot: Fixed<Buffer | null>
}

/** Something that did not stop the bot; once for each subject. */
export interface MeetingWarningTable {
  meeting_id: Fixed<string>
  code: Fixed<WarningCode>
  subject: Fixed<string>
  text: string
  at: Date
}

/** Somebody whom bots may come as. */
export interface BotAccountTable {
  name: Fixed<string>
  platform: Fixed<PlatformName>
  /** Bots that may use it at once, over all nodes. */
  bot_limit: number
  /** What a signed-in browser kept, sealed with the master key. */
  state: Buffer
  /** Rises with each change of the state: who read an older one cannot write. */
  version: Generated<number>
  added_at: Fixed<Date>
  last_used_at: Date | null
  refreshed_at: Date | null
}

/** What a removed meeting took with it: numbers only. */
export interface RemovalTable {
  id: Generated<string>
  at: Fixed<Date>
  meeting_id: Fixed<string>
  removed_by: Fixed<string>
  counts: JSONColumnType<Record<string, number>>
}
