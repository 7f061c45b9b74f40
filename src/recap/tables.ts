import type { ColumnType, Generated } from 'kysely'
import type { Immutable } from '../db/schema.ts'
import type { RecapContent, RecapMethod } from './recap.ts'
import type { ActionItemState } from './store/action-item.ts'
import type { AnnouncedState } from './store/announce-changes.ts'
import type { RecapItemSource, StatementKind } from './store/recap-item.ts'
import type { RecapMailRecipients, RecapSectionName } from './template.ts'
import type { RecapDocumentState, RecapStep, RenamedItem } from './store/recap-row.ts'

declare module '../db/schema.ts' {
  interface Database {
    /** The recap of an ended meeting, and the progress of the work on it. */
    recap: {
      meeting_id: Immutable<string>
      step: RecapStep
      /** When a node may do the next step. Null if nothing is left to do. */
      due_at: Date | null
      /** The node that works on the recap. Its writes must match both `owner` and `fence`. */
      owner: string | null
      fence: Generated<number>
      /** Failed attempts at the current step. */
      attempts: Generated<number>
      /** Grows with every change of the recap or of one of its action items. */
      version: Generated<number>
      /** How the stored recap was made. Null before the first one. */
      method: RecapMethod | null
      model: string | null
      /** Why the recap is not the model's, what is wrong with it, or why there is none. */
      error: string | null
      /**
       * The recap as the rules or the model found it, without the action items, which have their own rows. What people
       * added, changed and deleted is in `recap_item`.
       */
      data: ColumnType<RecapContent | null, string | null, string | null>
      /** Number of the model's statements that were dropped, because their quotation is not in the cited segments. */
      dropped_statements: Generated<number>
      /** Tokens that the model has used for all recaps of this meeting. */
      tokens: ColumnType<string, never, number>
      /** Cost of these tokens in US dollars. Null if the price is not known or no model was used. */
      cost_usd: number | null
      created_at: Immutable<Date>
      made_at: Date | null
      /** When the first recap was stored. Null before. A digest lists the recap in the period with this time. */
      ready_at: Date | null
      document_state: Generated<RecapDocumentState>
      /** SHA-256 of the recap parts that this instance wrote, and that may therefore be in the document. */
      document_parts: Generated<string[]>
    }
    /** Something that a participant is to do. */
    action_item: {
      id: Immutable<string>
      meeting_id: Immutable<string>
      /** Position in the recap, from 1. */
      number: number
      text: string
      /** Full name of the person who does it. Null if no name was given. */
      owner: string | null
      /** The words that name the due date. */
      due_text: string | null
      /** As `2026-11-18`. */
      due_date: string | null
      segment_numbers: number[]
      state: Generated<ActionItemState>
      source: RecapItemSource
      /** The text as the rules or the model found it. A new recap uses it to recognise an item that a person changed. */
      found_text: string
      /** The owner as the rules or the model found it, for the same purpose. */
      found_owner: string | null
      /** The segments as the rules or the model found them. Null if no person changed them. */
      found_segment_numbers: ColumnType<
        number[] | null,
        number[] | null | undefined,
        number[] | null
      >
      created_at: Immutable<Date>
      /** When a person changed the item. Null if never. A new recap does not change an edited item. */
      edited_at: Date | null
    }
    /** A statement of a recap that a person added, changed or deleted. A new recap is compared with it. */
    recap_item: {
      meeting_id: Immutable<string>
      id: Immutable<string>
      kind: Immutable<StatementKind>
      /** Position, from 1, of the statement in `recap.data` that this one replaces. Null if it replaces none. */
      number: number | null
      text: string
      /** Null if unknown. */
      speaker: string | null
      segment_numbers: number[]
      is_deleted: Generated<boolean>
      source: Immutable<RecapItemSource>
      /** The original text, speaker and segments. A new recap uses them to recognise the statement. */
      found_text: string
      found_speaker: string | null
      found_segment_numbers: Immutable<number[]>
      created_at: Immutable<Date>
      edited_at: Date
    }
    /** What events have said about an action item or a decision. */
    recap_announcement: {
      meeting_id: Immutable<string>
      /** Stays the same when a new recap words the item differently. */
      id: Immutable<string>
      kind: Immutable<'action' | 'decision'>
      text: string
      /** The owner of an action item, or the speaker of a decision. */
      person: string | null
      due_date: string | null
      state: AnnouncedState
      segment_numbers: number[]
    }
    /** What a project wants its recaps to be. A project without a row uses the defaults. */
    recap_template: {
      project: Immutable<string>
      /** Null for the language that the settings name. */
      language: string | null
      /** Null for all sections in the usual order. */
      sections: RecapSectionName[] | null
      instructions: Generated<string>
      mail_recipients: Generated<RecapMailRecipients>
      /** Who decided that guests get recaps by mail, as in the audit log. Null if they do not. */
      guest_mail_by: string | null
      /** The user who decided it. Null for a service token. */
      guest_mail_user_id: string | null
      guest_link_days: Generated<number>
      changed_at: Date
    }
    /** A recap before and after a speaker got another name, so that an undo restores it exactly. */
    recap_rename: {
      meeting_id: Immutable<string>
      /** The number of the edit in the meeting's history. */
      edit_number: Immutable<number>
      content_before: ColumnType<RecapContent | null, string | null, never>
      content_after: ColumnType<RecapContent | null, string | null, never>
      /** Every action item, and every statement in `recap_item`, at that time. */
      items: ColumnType<RenamedItem[], string, never>
    }
  }
}
