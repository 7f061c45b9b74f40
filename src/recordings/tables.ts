import type { ColumnType, Generated } from 'kysely'
import type { Viewer } from '../access/viewer.ts'
import type { Immutable } from '../db/schema.ts'
import type { RecordingInfo } from './decoding/decoder-messages.ts'
import type { StoredRecordingState } from './recording.ts'

declare module '../db/schema.ts' {
  interface Database {
    /** A recording that somebody sent to be recognized and imported. */
    recording: {
      id: Immutable<string>
      project: Immutable<string>
      /** On whose behalf it is imported. Their rights are checked again when the meeting is stored. */
      viewer: ColumnType<Viewer, string, never>
      token_id: Immutable<string | null>
      file_name: Immutable<string>
      title: Immutable<string | null>
      started_at: Immutable<Date | null>
      language: Immutable<string | null>
      recap_language: Immutable<string | null>
      /** The driver returns a bigint as text. */
      byte_count: ColumnType<string, number, never>
      /** The key of its sound, encrypted with the master key. Null once the sound is deleted. */
      key_sealed: Buffer | null
      state: StoredRecordingState
      created_at: Immutable<Date>
      changed_at: Date
      /** What the headers of the file say. Null until it is complete. */
      info: ColumnType<RecordingInfo | null, null, string | null>
      /** True if each channel is another person. Null until it was measured. */
      has_channel_speakers: boolean | null
      /** Up to which time the recording is recognized. Its lines are stored in the same transaction. */
      position_ms: Generated<number>
      /** Sound before that position that could not be recognized. */
      lost_ms: Generated<number>
      line_count: Generated<number>
      /** Consecutive attempts that got no further than `position_ms`. */
      attempts: Generated<number>
      due_at: Date
      /** Why it failed, or what is missing in the transcript, as sentences for people. */
      detail: string | null
      meeting_id: string | null
      /** The node that recognizes it. Its writes must match `fence`, which rises with every claim. */
      owner: string | null
      fence: Generated<number>
    }
    /** A part of the file, encrypted with the key of its recording. */
    recording_chunk: {
      recording_id: Immutable<string>
      number: Immutable<number>
      bytes: Buffer
    }
    /** What was recognized so far. */
    recording_line: {
      recording_id: Immutable<string>
      number: Immutable<number>
      channel: Immutable<number>
      text: Immutable<string>
      start_ms: Immutable<number>
    }
  }
}
