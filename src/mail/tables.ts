import type { ColumnType, Generated } from 'kysely'
import type { Immutable } from '../db/schema.ts'
import type { DigestFrequency, Weekday } from './digest/choice-names.ts'
import type { RecapMailChoice } from './recap-mail/choice-names.ts'
import type { MailKind, MailReason, MailState } from './mail.ts'

declare module '../db/schema.ts' {
  interface Database {
    /** A mail to one recipient. Its subject and text are made when it is sent, and not stored. */
    mail: {
      id: Immutable<string>
      kind: Immutable<MailKind>
      /** Prevents that the same thing is mailed twice to the same recipient. */
      unique_key: Immutable<string>
      /** The recipient. Null for a recipient without an account, who has an address. */
      user_id: Immutable<string | null>
      address: Immutable<string | null>
      meeting_id: Immutable<string | null>
      /** The upcoming meeting of a brief. Null for other mail. */
      upcoming_id: Immutable<string | null>
      /** The secret part of a link, encrypted with the master key. Null without one, and when nothing is left to send. */
      sealed_code: Buffer | null
      state: MailState
      /** Why it was not sent. */
      reason: MailReason | null
      /** The last answer of the mail server, or why there was none. */
      response: string | null
      /** Attempts to send it. */
      attempts: Generated<number>
      /** When a node may send it. Null if nothing is left to do. */
      due_at: Date | null
      /** The node that sends it. Its writes must match both `owner` and `fence`. */
      owner: string | null
      fence: Generated<number>
      /** The last attempt, which counts for the limits. Null for a mail that was not sent. */
      attempted_at: Date | null
      created_at: Immutable<Date>
      finished_at: Date | null
      /** The step of a trace that stored it. */
      trace_parent: ColumnType<string | null, string | null | undefined, never>
    }
    /** People without an account who want no mail, by SHA-256 of their address. */
    mail_opt_out: {
      address_hash: Immutable<Buffer>
      created_at: Immutable<Date>
    }
    /** Which mail a user wants. A user without a row wants what their projects send, and no digest. */
    mail_choice: {
      user_id: Immutable<string>
      recaps: Generated<RecapMailChoice>
      digest: Generated<DigestFrequency>
      /** Only for a weekly digest. */
      digest_weekday: Generated<Weekday>
      /** From 0 to 23, in the time zone. */
      digest_hour: Generated<number>
      /** The IANA name. Null if the person has not chosen one. */
      time_zone: string | null
      /** When the next digest is due. Null without one. */
      digest_due_at: Date | null
      /** How many minutes before meetings a brief is sent. Null for no briefs. */
      brief_minutes: number | null
    }
    /** The secret address of a person's digests as a feed. */
    digest_feed: {
      user_id: Immutable<string>
      /** SHA-256 of the secret in the address. The secret itself is not stored. */
      secret_hash: Buffer
      created_at: Date
      /** SHA-256 of the content when it was last read. */
      content_hash: Buffer | null
      /** When the content changed last, as far as a reader noticed. */
      changed_at: Date
    }
  }
}
