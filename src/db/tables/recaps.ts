import type { ColumnType, Generated } from 'kysely'
import type { ActionItemState } from '../../recap/store/action-item.ts'
import type { RecapContent, RecapMethod } from '../../recap/recap.ts'
import type { RecapDocumentState, RecapStep, RenamedItem } from '../../recap/store/recap-row.ts'
import type { Immutable } from './column.ts'

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
