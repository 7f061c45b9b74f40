import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Viewer } from '../../access/viewer.ts'
import type { PageSummary } from '../../bots/platforms/platform.ts'
import type { InsightCategory, InsightEngine, InsightSeverity } from '../../coach/coach.ts'
import type { SegmentSource } from '../../meetings/captions/segment-sources.ts'
import type { EditKind } from '../../meetings/editing/edit-history.ts'
import type { StoredSpeakerNames } from '../../meetings/editing/speaker-names.ts'
import type { EventType } from '../../meetings/event-types.ts'
import type { MeetingPlatform } from '../../meetings/meeting-platforms.ts'
import type { MeetingOptions } from '../../meetings/meeting.ts'
import type { WarningCode, MeetingStatus, EndReason } from '../../meetings/status.ts'
import type { GapCause } from '../../meetings/transcript/gap-causes.ts'
import type { RecapContent, RecapMethod } from '../../recap/recap.ts'
import type { ActionItemState } from '../../recap/store/action-item.ts'
import type { RecapDocumentState, RecapStep, RenamedItem } from '../../recap/store/recap-row.ts'
import type { Immutable } from './column.ts'

export interface MeetingTableColumns {
  id: Immutable<string>
  platform: Immutable<MeetingPlatform>
  url: Immutable<string>
  room: Immutable<string>
  label: Immutable<string>
  title: string | null
  project: string
  /**
   * Path of the transcript document; null when the meeting is not saved, or has not begun. Set before the start request is
   * answered, or when a scheduled meeting begins.
   */
  document_path: string | null
  callback_url: Immutable<string>
  token_id: Immutable<string | null>
  options: JSONColumnType<MeetingOptions>
  /** Generated from `options.account`, so that active meetings of a bot account can be counted by an index. */
  account: ColumnType<string | null, never, never>
  status: MeetingStatus
  reason: EndReason | null
  detail: string | null
  /** The time at which the bot is to join, while the meeting is scheduled. */
  started_at: Date
  live_at: Date | null
  ended_at: Date | null
  /** When the transcript was imported; null for a meeting that a bot attended. */
  imported_at: ColumnType<Date | null, Date | undefined, never>
  /** Sequence number of the newest stored event. */
  last_sequence: Generated<number>
  /** Sequence numbers up to this one may have been used for partial captions, which are sent but not stored. */
  reserved_sequence: Generated<number>
  segment_count: Generated<number>
  /** Number of segments that are already written to the meeting's document. */
  flushed_count: Generated<number>
  /** Size in bytes of the meeting's document after the last write. Bytes after it belong to an interrupted write. */
  document_size: Generated<number>
  participant_count: Generated<number>
  /** Weighted score of recent bot failures; see `meetings/attending/claiming/meeting-claims.ts`. */
  attempts: Generated<number>
  /** Tokens that the coach's language model has used for this meeting. */
  coach_tokens: Generated<number>
  /** The node whose bot attends the meeting. Writes must match both `owner` and `fence`. */
  owner: string | null
  fence: Generated<number>
  /** No node may claim the meeting before this time; set when a node releases it after a failure. */
  claim_after: Date | null
  claimed_at: Date | null
  /** The `MEETING_WORDS_INDEX_VERSION` with which the segments were indexed after the meeting; 0 before that. */
  words_version: Generated<number>
  /** Whether the tasks that start when this meeting ends were started. */
  tasks_started: Generated<boolean>
  /** When the bot of a scheduled meeting joins; null for a meeting that was started at once. */
  join_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** When the meeting is expected to end. After that a bot that is late does not join; null when it is not known. */
  expected_end_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** On whose behalf a scheduled meeting begins; their rights are checked again at its time. */
  scheduled_viewer: JSONColumnType<Viewer | null, string | null | undefined, string | null>
  /** The names that people gave to speakers, by the name that the platform shows. */
  speaker_names: JSONColumnType<StoredSpeakerNames, string | undefined>
  /** How often the title, the name of a speaker or the start was changed; the number of the newest row in `meeting_edit`. */
  edit_count: Generated<number>
  /** The number of the newest edit that the document has. */
  document_edit: Generated<number>
}

/** A final piece of the transcript. Only the name of its speaker changes, and the time of an import that gets another start. */
export interface SegmentTableColumns {
  meeting_id: Immutable<string>
  number: Immutable<number>
  caption_id: Immutable<string>
  /** The name that is shown. */
  speaker: string
  /** The name that the platform shows, if a person gave the speaker another name; otherwise null. */
  platform_speaker: ColumnType<string | null, string | null | undefined, string | null>
  text: Immutable<string>
  started_at: Immutable<Date>
  /** The search vector of the text and speaker; see `projects/search/words/`. Written again after the meeting. */
  words: ColumnType<string | null, string | null, string>
  source: ColumnType<SegmentSource, SegmentSource | undefined, never>
  /** Whether words before or in it are missing. */
  is_incomplete: ColumnType<boolean, boolean | undefined, never>
}

/** All words of an ended meeting without their positions, to find words in different segments. */
export interface MeetingSearchIndexColumns {
  meeting_id: Immutable<string>
  /** The search vector of the title. */
  title: string
  words: string
}

/** A time during a meeting in which nothing was recorded. */
export interface TranscriptGapTableColumns {
  meeting_id: Immutable<string>
  number: Immutable<number>
  cause: Immutable<GapCause>
  started_at: Immutable<Date>
  /** Null while the gap lasts. A meeting has at most one such gap. */
  ended_at: Date | null
  /** The number of the last segment before the gap; 0 when there is none. */
  after_segment: Immutable<number>
  /** Whether an event has reported the gap. */
  is_reported: Generated<boolean>
}

/** A message of the meeting chat, for meetings that store it. */
export interface ChatMessageTableColumns {
  meeting_id: Immutable<string>
  number: Immutable<number>
  /** The platform's id of the message. A message is stored once, also when another bot reads it again. */
  message_id: Immutable<string>
  author: Immutable<string>
  text: Immutable<string>
  at: Immutable<Date>
}

export interface ParticipantTableColumns {
  meeting_id: Immutable<string>
  id: Immutable<string>
  name: string
  is_host: Generated<boolean>
  joined_at: Date
  left_at: Date | null
}

/** An event of a meeting. The body is the exact text that callbacks send. */
export interface EventTableColumns {
  meeting_id: Immutable<string>
  sequence: Immutable<number>
  type: Immutable<EventType>
  at: Immutable<Date>
  body: Immutable<string>
  /** The transaction that wrote the event; with meeting and sequence it orders the events of all meetings. */
  written_by: Generated<string>
}

export interface InsightTableColumns {
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

/** What the meeting page looked like when a bot failed. It contains text of participants, so it must never be logged. */
export interface BotFailureEvidenceTableColumns {
  meeting_id: Immutable<string>
  number: Immutable<number>
  at: Immutable<Date>
  state: Immutable<string>
  marks: Immutable<string[]>
  survey: JSONColumnType<PageSummary, string, never>
  /** Screenshot of the meeting page as a JPEG image. */
  screenshot: Immutable<Buffer | null>
}

/** A problem that did not stop the bot; one row for each code and subject. */
export interface MeetingWarningTableColumns {
  meeting_id: Immutable<string>
  code: Immutable<WarningCode>
  subject: Immutable<string>
  text: string
  at: Date
}

/** A change of the title of a meeting, of the name of a speaker, or of the start of an imported meeting. */
export interface MeetingEditTableColumns {
  meeting_id: Immutable<string>
  /** Counts from 1 in each meeting. */
  number: Immutable<number>
  at: Immutable<Date>
  kind: Immutable<EditKind>
  /** Null for a meeting that had no title. */
  before: Immutable<string | null>
  after: Immutable<string | null>
  /** The names that the platform shows for the speaker; empty for a title. */
  platform_names: Immutable<string[]>
  /** The number of the edit that this one has undone. */
  undoes: Immutable<number | null>
  /** Who changed it, as in the audit log. */
  actor: Immutable<string>
  /** The name of that person or API token at that time. */
  actor_name: Immutable<string>
}

/** Report of a removed meeting: how many rows were deleted, without any content. */
export interface MeetingRemovalTableColumns {
  id: Generated<string>
  at: Immutable<Date>
  meeting_id: Immutable<string>
  removed_by: Immutable<string>
  /** The project of the meeting; null for meetings that earlier versions removed. */
  project: Immutable<string | null>
  counts: JSONColumnType<Record<string, number>>
}

/** A comment on a line of a transcript. */
export interface LineCommentTableColumns {
  id: Immutable<string>
  meeting_id: Immutable<string>
  segment_number: Immutable<number>
  /** The user who wrote it, who may have been removed; null when a service token did. */
  author_id: Immutable<string | null>
  /** The service token that wrote it; null when a user did. */
  token_id: Immutable<string | null>
  /** The name of the author when the comment was written. */
  author_name: Immutable<string>
  text: string
  created_at: Immutable<Date>
  /** Null until the author changes it. */
  edited_at: Date | null
}

/** A line that a person has marked for themselves. */
export interface LineBookmarkTableColumns {
  user_id: Immutable<string>
  meeting_id: Immutable<string>
  segment_number: Immutable<number>
  created_at: Immutable<Date>
}

/** The recap of an ended meeting, and how far the work on it is. */
export interface RecapTableColumns {
  meeting_id: Immutable<string>
  /** What has to be done next. */
  step: RecapStep
  /** When a node may do the next step; null when nothing is left to do. */
  due_at: Date | null
  /** The node that works on the recap. Its writes must match both `owner` and `fence`. */
  owner: string | null
  fence: Generated<number>
  /** Failed attempts at the current step. */
  attempts: Generated<number>
  /** Grows with every change of the recap or of one of its action items. */
  version: Generated<number>
  /** How the stored recap was made; null before the first one. */
  method: RecapMethod | null
  model: string | null
  /** Why the recap is not the one of the model, or why there is none. */
  error: string | null
  /** Everything but the action items, which are rows of their own. */
  data: ColumnType<RecapContent | null, string | null, string | null>
  /** The first sentence of the summary. PostgreSQL takes it from `data`. */
  gist: ColumnType<string | null, never, never>
  /** Statements of the model that were dropped, because their quotation is not in the segments they cite. */
  dropped_statements: Generated<number>
  /** Tokens that the model has used for all recaps of this meeting. */
  tokens: ColumnType<string, never, number>
  /** Cost of these tokens in US dollars; null when the price is not known or no model was used. */
  cost_usd: number | null
  created_at: Immutable<Date>
  made_at: Date | null
  document_state: Generated<RecapDocumentState>
  /** SHA-256 of the recap parts that may be in the document, because this instance has written them. */
  document_parts: Generated<string[]>
}

/** Something that a participant is to do. */
export interface ActionItemTableColumns {
  id: Immutable<string>
  meeting_id: Immutable<string>
  /** Position in the recap, from 1. */
  number: number
  text: string
  /** Full name of the person who does it; null when nobody was named. */
  owner: string | null
  /** The words that name the due date. */
  due_text: string | null
  /** As `2026-11-18`. */
  due_date: string | null
  segment_numbers: number[]
  state: Generated<ActionItemState>
  source: RecapMethod
  /** The text as the rules or the model found it, by which a new recap recognises an item that a person changed. */
  found_text: string
  /** The owner as found, for the same purpose. */
  found_owner: string | null
  created_at: Immutable<Date>
  /** When a person changed the item; null if never. A new recap does not change such an item. */
  edited_at: Date | null
}

/** What a recap was before and after a speaker got another name, so that an undo restores exactly that. */
export interface RecapRenameTableColumns {
  meeting_id: Immutable<string>
  /** The number of the edit in the history of the meeting. */
  edit_number: Immutable<number>
  content_before: ColumnType<RecapContent | null, string | null, never>
  content_after: ColumnType<RecapContent | null, string | null, never>
  /** Every action item that there was. */
  items: ColumnType<RenamedItem[], string, never>
}
