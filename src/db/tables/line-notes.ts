import type { Immutable } from './column.ts'

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
