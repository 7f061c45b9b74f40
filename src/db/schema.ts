import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Role, Scope } from '../accounts/roles.ts'
import type { InsightCategory, InsightEngine, InsightSeverity } from '../coach/coach.ts'
import type { AttemptOutcome } from '../deliveries/judge.ts'
import type { EventType } from '../meetings/events.ts'
import type { MeetingOptions } from '../meetings/meeting.ts'
import type { MeetingStatus, Reason } from '../meetings/status.ts'
import type { WarningCode } from '../meetings/warnings.ts'
import type { PlatformName, Survey } from '../platforms/platform.ts'

/** The whole data model on one page. Migrations make it; this file is what the code believes. */
export interface Database {
  instance: InstanceTable
  app_user: UserTable
  session: SessionTable
  invitation: InvitationTable
  sign_in_failure: SignInFailureTable
  api_token: TokenTable
  idempotent_request: IdempotentRequestTable
  request_count: RequestCountTable
  audit: AuditTable
  meeting: MeetingTable
  segment: SegmentTable
  participant: ParticipantTable
  event: EventTable
  insight: InsightTable
  node: NodeTable
  lane: LaneTable
  delivery_attempt: AttemptTable
  dead_letter: DeadLetterTable
  evidence: EvidenceTable
  meeting_warning: MeetingWarningTable
  bot_account: BotAccountTable
}

/** A value set once, at insert. */
type Fixed<T> = ColumnType<T, T, never>

/** One row: what all nodes of this instance share. */
interface InstanceTable {
  id: Generated<number>
  instance_id: Fixed<string>
  /** A known text sealed with the master key: a node with another key must not start. */
  master_key_check: Fixed<Buffer>
  created_at: Generated<Date>
}

interface UserTable {
  id: Fixed<string>
  /** Lower case, unique. */
  email: Fixed<string>
  name: string
  role: Role
  password_hash: string
  created_at: Generated<Date>
}

interface SessionTable {
  id: Fixed<string>
  /** SHA-256 of the cookie's value; the value itself is nowhere. */
  secret_hash: Fixed<Buffer>
  user_id: Fixed<string>
  ip: Fixed<string>
  user_agent: Fixed<string>
  created_at: Fixed<Date>
  last_seen_at: Date
}

/** A one-time link: the first user's (no creator) or an admin's invitation. */
interface InvitationTable {
  id: Fixed<string>
  kind: Fixed<'setup' | 'invite'>
  code_hash: Fixed<Buffer>
  email: Fixed<string | null>
  role: Fixed<Role>
  created_by: Fixed<string | null>
  created_at: Fixed<Date>
  expires_at: Fixed<Date>
}

/** Failed sign-ins, counted for an address and for an account; see accounts/throttle.ts. */
interface SignInFailureTable {
  scope: Fixed<string>
  failures: number
  next_attempt_at: Date
  updated_at: Date
}

interface TokenTable {
  id: Fixed<string>
  name: Fixed<string>
  /** SHA-256 of the API key. */
  key_hash: Fixed<Buffer>
  key_prefix: Fixed<string>
  key_last4: Fixed<string>
  /** The signing secret, sealed with the master key. */
  signing_secret: Buffer
  /** The secret that will follow, sealed; null while no rotation is under way. */
  next_secret: ColumnType<Buffer | null, never, Buffer | null>
  next_secret_at: ColumnType<Date | null, never, Date | null>
  /** The secret before, which still signs beside the present one for a while. */
  old_secret: ColumnType<Buffer | null, never, Buffer | null>
  old_secret_until: ColumnType<Date | null, never, Date | null>
  scopes: Fixed<Scope[] | null>
  created_by: Fixed<string | null>
  created_at: Fixed<Date>
  last_used_at: Date | null
  last_used_from: string | null
  expires_at: Fixed<Date | null>
  revoked_at: Date | null
}

/** An answer kept for a repeated Idempotency-Key. No status yet: the request is running. */
interface IdempotentRequestTable {
  token_id: Fixed<string>
  key: Fixed<string>
  fingerprint: Fixed<Buffer>
  /** Rises with each claim, so that a request that was given up cannot save its answer. */
  fence: number
  claimed_until: Date
  status: number | null
  body: string | null
  created_at: Fixed<Date>
}

/** Requests of one node in one minute, so that several nodes share one limit. */
interface RequestCountTable {
  scope: Fixed<string>
  minute: Fixed<Date>
  node_id: Fixed<string>
  count: number
}

interface AuditTable {
  id: Generated<string>
  at: Fixed<Date>
  action: Fixed<string>
  /** Who: a user, a token or the command line. */
  actor: Fixed<string>
  /** To what. */
  object: Fixed<string | null>
  ip: Fixed<string | null>
}

interface MeetingTable {
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
  /** The node whose bot attends; with the fence, who may write. */
  owner: string | null
  fence: Generated<number>
  /** Given up until then: nobody takes it up before. */
  claim_after: Date | null
  claimed_at: Date | null
}

/** Finalized: written once, never changed. */
interface SegmentTable {
  meeting_id: Fixed<string>
  number: Fixed<number>
  caption_id: Fixed<string>
  speaker: Fixed<string>
  text: Fixed<string>
  started_at: Fixed<Date>
}

interface ParticipantTable {
  meeting_id: Fixed<string>
  id: Fixed<string>
  name: string
  is_host: Generated<boolean>
  joined_at: Date
  left_at: Date | null
}

/** The body is the exact text that was or will be sent. */
interface EventTable {
  meeting_id: Fixed<string>
  sequence: Fixed<number>
  type: Fixed<EventType>
  at: Fixed<Date>
  body: Fixed<string>
  /** The transaction that wrote it: with meeting and sequence, one order over all meetings. */
  written_by: Generated<string>
}

interface InsightTable {
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

/** A process that is up. Who stops beating, or loses its lock, is gone and its row with it. */
interface NodeTable {
  id: Fixed<string>
  /** Of the advisory lock that it holds while it lives. */
  lock_number: Fixed<number>
  /** How many bots with a browser it can hold, and how many without. */
  bots: number
  practice_bots: number
  beat_at: Date
}

/** The way of events to one callback URL: of a meeting, or of a replay of part of one. In order, one at a time. */
interface LaneTable {
  id: Fixed<string>
  meeting_id: Fixed<string>
  kind: Fixed<'meeting' | 'replay'>
  url: Fixed<string>
  /** Whose secret signs. */
  token_id: Fixed<string | null>
  /** Types to be sent; null: all. */
  events: Fixed<EventType[] | null>
  /** `closed`: the receiver wants no more. */
  state: Generated<'open' | 'closed'>
  /** The cursor: whatever has a number up to this is settled. */
  delivered_through: Generated<number>
  /** Last sequence of a replay; null follows the meeting. */
  ends_at: Fixed<number | null>
  /** The event before the head, as the receiver should know it. */
  previous_sequence: Generated<number>
  /** Attempts for the head that failed in a row, and of them those that blame the event. */
  failures: Generated<number>
  rejections: Generated<number>
  rejected_since: Date | null
  /** When somebody has to look at it; null: there is nothing to do. */
  due_at: Date | null
  last_error: string | null
  delivered_count: Generated<number>
  dead_count: Generated<number>
  owner: string | null
  fence: Generated<number>
  created_at: Fixed<Date>
}

interface AttemptTable {
  /** What X-Service-Delivery-Id said. */
  id: Fixed<string>
  lane_id: Fixed<string>
  meeting_id: Fixed<string>
  sequence: Fixed<number>
  type: Fixed<string>
  started_at: Fixed<Date>
  duration_ms: Fixed<number>
  outcome: Fixed<AttemptOutcome>
  status: Fixed<number | null>
  error: Fixed<string | null>
  /** The beginning of what the receiver said. */
  answer: Fixed<string>
  next_attempt_at: Fixed<Date | null>
}

/** An event that was given up; a replay can still bring it. */
interface DeadLetterTable {
  meeting_id: Fixed<string>
  sequence: Fixed<number>
  reason: Fixed<'rejected' | 'expired'>
  at: Fixed<Date>
}

/** What a page looked like when a visit went wrong. It holds what people wrote: served, never logged. */
interface EvidenceTable {
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
interface MeetingWarningTable {
  meeting_id: Fixed<string>
  code: Fixed<WarningCode>
  subject: Fixed<string>
  text: string
  at: Date
}

/** Somebody whom bots may come as. */
interface BotAccountTable {
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
