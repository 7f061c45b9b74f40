import type { Generated } from 'kysely'
import type { Immutable } from '../db/schema.ts'
import type { MicrosoftCloud } from '../network/microsoft-hosts.ts'
import type { ConnectionKind, CredentialKind, TranscriptState } from './connection.ts'
import type { ProblemCode } from './problems.ts'

declare module '../db/schema.ts' {
  interface Database {
    /** An organization's connection to a provider whose transcripts are read. */
    connection: {
      id: Immutable<string>
      kind: Immutable<ConnectionKind>
      name: string
      cloud: Immutable<MicrosoftCloud | null>
      tenant: Immutable<string | null>
      client_id: Immutable<string>
      credential_kind: CredentialKind
      /** The client secret or the private key with what belongs to it, encrypted with the master key. */
      credential_sealed: Buffer
      thumbprint: string | null
      credential_expires_at: Date | null
      /** The project of the meetings. Null for a private project of each organizer. */
      project: string | null
      excluded_titles: string[]
      /** Transcripts from before this time are not read. */
      reads_from: Immutable<Date>
      is_paused: boolean
      /** Titles and private events are read from the organizers' calendars. */
      reads_calendar: Generated<boolean>
      next_poll_at: Date
      polled_at: Date | null
      /** When everything that was due was last read without a problem of the connection. */
      read_at: Date | null
      problem: ProblemCode | null
      problem_detail: string | null
      broken_since: Date | null
      /** Consecutive failed polls. */
      failures: Generated<number>
      /** The node that reads. Its writes must match `fence`, which rises with every claim and every change. */
      owner: string | null
      fence: Generated<number>
      created_at: Immutable<Date>
    }
    /** A person whose meetings' transcripts are read. */
    connection_organizer: {
      connection_id: Immutable<string>
      address: Immutable<string>
      /** The provider's id of the user. Null until it was found. */
      user_id: string | null
      /** The provider's cursor: where the list of transcripts continues. */
      sync_link: string | null
      problem: ProblemCode | null
      problem_detail: string | null
      /** When the last complete read began. */
      polled_at: Date | null
      read_at: Date | null
      /** When the provider last reported a new transcript. */
      reported_at: Generated<Date | null>
    }
    /** The provider reports new transcripts of an organizer. */
    connection_subscription: {
      id: string
      connection_id: Immutable<string>
      organizer: Immutable<string>
      user_id: string
      notification_url: string
      /** SHA-256 of the secret that each report must contain. */
      secret_hash: Buffer
      /** The provider's id. Null if the provider has not accepted the request, or ended the subscription. */
      provider_id: string | null
      expires_at: Date
      /** When it is renewed, or requested again. */
      next_attempt_at: Date
      /** Why the provider refused the last request. Null if it did not. */
      problem: string | null
    }
    /** A transcript that was found. Its row stays after the meeting was deleted, so that it is not read again. */
    connection_transcript: {
      connection_id: Immutable<string>
      transcript_id: Immutable<string>
      organizer: Immutable<string>
      user_id: Immutable<string>
      online_meeting_id: Immutable<string>
      began_at: Immutable<Date>
      ended_at: Immutable<Date | null>
      state: TranscriptState
      problem: ProblemCode | null
      problem_detail: string | null
      attempts: Generated<number>
      /** When it is read, or compared again. Null if there is nothing to do. */
      next_attempt_at: Date | null
      meeting_id: string | null
      content_sha256: Buffer | null
      /** When the provider's content was found to differ from what was stored. */
      changed_at: Date | null
      /** What the provider listed. Another one means that the content may differ; null if it does not say. */
      revision: Generated<string | null>
      found_at: Immutable<Date>
    }
  }
}
