import type { MicrosoftCloud } from '../network/microsoft-hosts.ts'
import type { ConnectionProblem } from './problems.ts'

/** The provider of a connection. */
export const CONNECTION_KINDS = ['microsoft', 'google'] as const
export type ConnectionKind = (typeof CONNECTION_KINDS)[number]

export const CREDENTIAL_KINDS = ['secret', 'certificate', 'key'] as const
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]

/**
 * `waiting`: found, and not read yet. `imported`: stored as a meeting. `excluded`: left out by a rule of the connection.
 * `expired`: the provider no longer has it. `failed`: it cannot be read.
 */
export const TRANSCRIPT_STATES = ['waiting', 'imported', 'excluded', 'expired', 'failed'] as const
export type TranscriptState = (typeof TRANSCRIPT_STATES)[number]

/** A person whose meetings' transcripts are read. */
export type Organizer = {
  address: string
  problem: ConnectionProblem | null
  /** When the list of this person's transcripts was last read completely. */
  readAt: Date | null
}

/** An organization's connection. Its secret or private key is not part of this type. */
export type Connection = {
  id: string
  kind: ConnectionKind
  name: string
  /** Microsoft's cloud; null for Google, as is the tenant. */
  cloud: MicrosoftCloud | null
  tenant: string | null
  /** Of the application, or of the service account. */
  clientId: string
  credential: CredentialKind
  /** SHA-256 of the certificate, as Microsoft shows it, or Google's id of the key; null for a client secret. */
  thumbprint: string | null
  /** When the certificate expires; null for a client secret or a key, which do not say it. */
  credentialExpiresAt: Date | null
  /** The project of the meetings. Null for a private project of each organizer. */
  project: string | null
  excludedTitles: string[]
  /** Transcripts of meetings before this time are not read. */
  readsFrom: Date
  /** True if titles and private events are read from the organizers' calendars. */
  readsCalendar: boolean
  isPaused: boolean
  organizers: Organizer[]
  problem: ConnectionProblem | null
  brokenSince: Date | null
  polledAt: Date | null
  readAt: Date | null
  nextPollAt: Date
  createdAt: Date
  transcripts: Record<TranscriptState, number>
}

/** A transcript that a connection found. It has no title, because not every admin may read the meeting. */
export type FoundTranscriptRow = {
  id: string
  organizer: string
  beganAt: Date
  foundAt: Date
  state: TranscriptState
  problem: ConnectionProblem | null
  nextAttemptAt: Date | null
  meetingId: string | null
  /** When the provider changed it after it was stored. */
  changedAt: Date | null
}
