import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Viewer } from '../access/viewer.ts'
import type { PageSummary } from '../bots/platforms/platform.ts'
import type { InsightCategory, InsightEngine, InsightSeverity } from '../coach/coach.ts'
import type { Immutable } from '../db/schema.ts'
import type { SegmentSource } from './captions/segment-sources.ts'
import type { EditKind } from './editing/edit-history.ts'
import type { StoredSpeakerNames } from './editing/speaker-names.ts'
import type { EventType } from './event-types.ts'
import type { MeetingPlatform } from './meeting-platforms.ts'
import type { MeetingOptions } from './meeting.ts'
import type { OfficialMode, OfficialPart } from './official/choose-lines.ts'
import type { EndReason, MeetingStatus, WarningCode } from './status.ts'
import type { GapCause } from './transcript/gap-causes.ts'

declare module '../db/schema.ts' {
  interface Database {
    meeting: {
      id: Immutable<string>
      platform: Immutable<MeetingPlatform>
      url: Immutable<string>
      room: Immutable<string>
      label: Immutable<string>
      title: string | null
      /** The title that a model gave it in the recap. Shown only while the meeting has no title. */
      recap_title: ColumnType<string | null, undefined, string | null>
      project: string
      /**
       * Path of the transcript document. Null if the meeting is not saved or has not begun. Set before the start request is
       * answered, or when a scheduled meeting begins.
       */
      document_path: string | null
      callback_url: Immutable<string>
      token_id: Immutable<string | null>
      options: JSONColumnType<MeetingOptions>
      /** Generated from `options.account`, so that an index can count a bot account's active meetings. */
      account: ColumnType<string | null, never, never>
      status: MeetingStatus
      reason: EndReason | null
      detail: string | null
      /** While the meeting is scheduled: the time at which the bot is to join. */
      started_at: Date
      live_at: Date | null
      ended_at: Date | null
      /** When the transcript was imported. Null for a meeting that a bot attended. */
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
      failure_score: Generated<number>
      /** Tokens that the coach's language model has used for this meeting. */
      coach_tokens: Generated<number>
      /** The node whose bot attends the meeting. Writes must match both `owner` and `fence`. */
      owner: string | null
      fence: Generated<number>
      /** No node may claim the meeting before this time. Set when a node releases it after a failure. */
      claim_after: Date | null
      claimed_at: Date | null
      /** The `MEETING_WORDS_INDEX_VERSION` with which the segments were indexed after the meeting. 0 before that. */
      words_version: Generated<number>
      /** True if the tasks that this meeting triggers were started. */
      tasks_started: Generated<boolean>
      /** When the bot of a scheduled meeting joins. Null for a meeting that was started at once. */
      join_at: ColumnType<Date | null, Date | null | undefined, Date | null>
      /** When the meeting should end. A late bot does not join after that. Null if it is not known. */
      expected_end_at: ColumnType<Date | null, Date | null | undefined, Date | null>
      /** On whose behalf a scheduled meeting begins. Their rights are checked again when it begins. */
      scheduled_viewer: JSONColumnType<Viewer | null, string | null | undefined, string | null>
      /** The user who started the meeting, in person, with a token or by a calendar. Null for the instance. */
      started_by: ColumnType<string | null, string | null | undefined, never>
      /** The names that people gave to speakers, keyed by the platform's name. */
      speaker_names: JSONColumnType<StoredSpeakerNames, string | undefined>
      /** How often the title, a speaker's name or the start was changed: the newest number in `meeting_edit`. */
      edit_count: Generated<number>
      /** The number of the newest edit that the document has. */
      document_edit: Generated<number>
      /** The step of a trace that began the meeting, as a W3C `traceparent`. Null if it was not traced. */
      trace_parent: ColumnType<string | null, string | null | undefined, string | null>
    }
    /**
     * A final piece of the transcript. Only its speaker's name changes, and its time if an import gets another start. A
     * line that an official transcript replaces moves to `set_aside_segment`.
     */
    segment: {
      meeting_id: Immutable<string>
      number: Immutable<number>
      caption_id: Immutable<string>
      /** The name to show. */
      speaker: string
      /** The platform's name of the speaker, if a person gave the speaker another name. */
      platform_speaker: ColumnType<string | null, string | null | undefined, string | null>
      text: Immutable<string>
      started_at: Immutable<Date>
      /** The search vector of text and speaker; see `projects/search/words/`. Written again after the meeting. */
      words: ColumnType<string | null, string | null, string>
      source: ColumnType<SegmentSource, SegmentSource | undefined, never>
      /** True if words before or in it are missing. */
      is_incomplete: ColumnType<boolean, boolean | undefined, never>
    }
    /** A line of the bot or of the official transcript that is not part of the transcript now. */
    set_aside_segment: {
      meeting_id: Immutable<string>
      number: Immutable<number>
      caption_id: Immutable<string>
      speaker: Immutable<string>
      platform_speaker: Immutable<string | null>
      text: Immutable<string>
      started_at: Immutable<Date>
      words: Immutable<string | null>
      source: Immutable<SegmentSource>
      is_incomplete: Immutable<boolean>
      /** The line of the transcript that is nearest in time. It shows the comments and bookmarks of this one. */
      nearest: number | null
    }
    /** The official transcript of a meeting that a bot attended. Its lines are in `segment` and `set_aside_segment`. */
    official_transcript: {
      meeting_id: Immutable<string>
      /** A `LinesChoice`, as `formatChoice` writes it. */
      choice: string
      parts: JSONColumnType<OfficialPart[]>
      /** The start and end of the meeting without the official transcript. */
      attended_from: Immutable<Date>
      attended_until: Immutable<Date>
    }
    /** What a project wants done with official transcripts of meetings that bots attended. */
    official_choice: { project: string; mode: OfficialMode }
    /** All words of an ended meeting without their positions, to find words in different segments. */
    meeting_words: {
      meeting_id: Immutable<string>
      /** The search vector of the title. */
      title: string
      words: string
    }
    /** A time during a meeting when nothing was recorded. */
    transcript_gap: {
      meeting_id: Immutable<string>
      number: Immutable<number>
      cause: Immutable<GapCause>
      started_at: Immutable<Date>
      /** Null while the gap lasts. A meeting has at most one open gap. */
      ended_at: Date | null
      /** The number of the last segment before the gap. 0 if there is none. */
      after_segment: Immutable<number>
      /** True if an official transcript covers it. Readers do not see it then. */
      is_filled: Generated<boolean>
      /** True if an event has reported the gap. */
      is_reported: Generated<boolean>
    }
    /** A message of the meeting chat, for meetings that store it. */
    chat_message: {
      meeting_id: Immutable<string>
      number: Immutable<number>
      /** The platform's id of the message. A message is stored once, even if another bot reads it again. */
      message_id: Immutable<string>
      author: Immutable<string>
      text: Immutable<string>
      at: Immutable<Date>
    }
    participant: {
      meeting_id: Immutable<string>
      id: Immutable<string>
      name: string
      is_host: Generated<boolean>
      joined_at: Date
      left_at: Date | null
    }
    /** An event of a meeting. The body is the exact text that callbacks send. */
    event: {
      meeting_id: Immutable<string>
      sequence: Immutable<number>
      type: Immutable<EventType>
      at: Immutable<Date>
      body: Immutable<string>
      /** The transaction that wrote the event. With meeting and sequence, it orders the events of all meetings. */
      written_by: Generated<string>
    }
    insight: {
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
    /** The meeting page at the time of a bot's failure. It contains participants' text, so it must never be logged. */
    evidence: {
      meeting_id: Immutable<string>
      number: Immutable<number>
      at: Immutable<Date>
      state: Immutable<string>
      marks: Immutable<string[]>
      survey: JSONColumnType<PageSummary, string, never>
      /** JPEG. */
      screenshot: Immutable<Buffer | null>
    }
    /** A problem that did not stop the bot. One row for each code and subject. */
    meeting_warning: {
      meeting_id: Immutable<string>
      code: Immutable<WarningCode>
      subject: Immutable<string>
      text: string
      at: Date
    }
    /** A change of a meeting's title, of a speaker's name, of an imported meeting's start, or of which lines it has. */
    meeting_edit: {
      meeting_id: Immutable<string>
      /** Counts from 1 in each meeting. */
      number: Immutable<number>
      at: Immutable<Date>
      kind: Immutable<EditKind>
      /** Null if the meeting had no title. */
      before: Immutable<string | null>
      after: Immutable<string | null>
      /** The platform's names of the speaker. Empty for a title. */
      platform_names: Immutable<string[]>
      /** The number of the edit that this one has undone. */
      undoes: Immutable<number | null>
      /** Who changed it, as in the audit log. */
      actor: Immutable<string>
      /** The name of that person or API token at that time. */
      actor_name: Immutable<string>
    }
    /** Report of a removed meeting: how many rows were deleted, without any content. */
    removal: {
      id: Generated<string>
      at: Immutable<Date>
      meeting_id: Immutable<string>
      removed_by: Immutable<string>
      /** The meeting's project. Null for meetings that earlier versions removed. */
      project: Immutable<string | null>
      counts: JSONColumnType<Record<string, number>>
    }
    line_comment: {
      id: Immutable<string>
      meeting_id: Immutable<string>
      segment_number: Immutable<number>
      /** The user who wrote it, even if removed since. Null if a service token wrote it. */
      author_id: Immutable<string | null>
      /** The service token that wrote it. Null if a user wrote it. */
      token_id: Immutable<string | null>
      /** The author's name when the comment was written. */
      author_name: Immutable<string>
      text: string
      created_at: Immutable<Date>
      /** Null until the author changes it. */
      edited_at: Date | null
    }
    /** A line that a user has marked for themselves. */
    line_bookmark: {
      user_id: Immutable<string>
      meeting_id: Immutable<string>
      segment_number: Immutable<number>
      created_at: Immutable<Date>
    }
  }
}
