import type { ColumnType, Generated } from 'kysely'
import type { Role, Scope } from '../../accounts/roles.ts'
import type { Immutable } from './column.ts'

/** One row: what all nodes of this instance share. */
export interface InstanceTable {
  id: Generated<number>
  instance_id: Immutable<string>
  /** A known text sealed with the master key: a node with another key must not start. */
  master_key_check: Immutable<Buffer>
  created_at: Generated<Date>
}

export interface UserTable {
  id: Immutable<string>
  /** Lower case, unique. */
  email: Immutable<string>
  name: string
  role: Role
  password_hash: string
  created_at: Generated<Date>
}

export interface SessionTable {
  id: Immutable<string>
  /** SHA-256 of the cookie's value; the value itself is nowhere. */
  secret_hash: Immutable<Buffer>
  user_id: Immutable<string>
  ip: Immutable<string>
  user_agent: Immutable<string>
  created_at: Immutable<Date>
  last_seen_at: Date
}

/** A one-time link: the first user's (no creator) or an admin's invitation. */
export interface InvitationTable {
  id: Immutable<string>
  kind: Immutable<'setup' | 'invite'>
  code_hash: Immutable<Buffer>
  email: Immutable<string | null>
  role: Immutable<Role>
  created_by: Immutable<string | null>
  created_at: Immutable<Date>
  expires_at: Immutable<Date>
}

/** Failed sign-ins, counted for an address, for an account, or for both together; see accounts/throttle.ts. */
export interface SignInFailureTable {
  scope: Immutable<string>
  failures: number
  next_attempt_at: Date
  updated_at: Date
}

export interface TokenTable {
  id: Immutable<string>
  name: Immutable<string>
  /** SHA-256 of the API key. */
  key_hash: Immutable<Buffer>
  key_prefix: Immutable<string>
  key_last4: Immutable<string>
  /** The signing secret, sealed with the master key. */
  signing_secret: Buffer
  /** The secret that will follow, sealed; null while no rotation is under way. */
  next_secret: ColumnType<Buffer | null, never, Buffer | null>
  next_secret_at: ColumnType<Date | null, never, Date | null>
  /** The secret before, which still signs beside the present one for a while. */
  old_secret: ColumnType<Buffer | null, never, Buffer | null>
  old_secret_until: ColumnType<Date | null, never, Date | null>
  scopes: Immutable<Scope[] | null>
  /** Null for the command line, and for those who are gone. */
  created_by: Immutable<string | null>
  /** Stays when the person is gone; null for the command line. */
  created_by_name: string | null
  created_at: Immutable<Date>
  last_used_at: Date | null
  last_used_from: string | null
  expires_at: Immutable<Date | null>
  revoked_at: Date | null
}

/** An answer kept for a repeated Idempotency-Key. No status yet: the request is running. */
export interface IdempotentRequestTable {
  token_id: Immutable<string>
  key: Immutable<string>
  fingerprint: Immutable<Buffer>
  /** Rises with each claim, so that a request that was given up cannot save its answer. */
  fence: number
  claimed_until: Date
  status: number | null
  body: string | null
  created_at: Immutable<Date>
}

/** Requests of one node in one minute, so that several nodes share one limit. */
export interface RequestCountTable {
  scope: Immutable<string>
  minute: Immutable<Date>
  node_id: Immutable<string>
  count: number
}

export interface AuditTable {
  id: Generated<string>
  at: Immutable<Date>
  action: Immutable<string>
  /** Who: a user, a token or the command line. */
  actor: Immutable<string>
  /** To what. */
  object: Immutable<string | null>
  ip: Immutable<string | null>
}

/** A process that is up. Who stops beating, or loses its lock, is gone and its row with it. */
export interface NodeTable {
  id: Immutable<string>
  /** Of the advisory lock that it holds while it lives. */
  lock_number: Immutable<number>
  /** How many bots with a browser it can hold, and how many without. */
  bots: number
  practice_bots: number
  beat_at: Date
  /** When it was back after a time in which it did not beat or had no connection; null: there was none. */
  back_since: Date | null
}
