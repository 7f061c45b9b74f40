import type { ColumnType, Generated } from 'kysely'
import type { Role, Scope } from '../../accounts/roles.ts'
import type { Fixed } from './column.ts'

/** One row: what all nodes of this instance share. */
export interface InstanceTable {
  id: Generated<number>
  instance_id: Fixed<string>
  /** A known text sealed with the master key: a node with another key must not start. */
  master_key_check: Fixed<Buffer>
  created_at: Generated<Date>
}

export interface UserTable {
  id: Fixed<string>
  /** Lower case, unique. */
  email: Fixed<string>
  name: string
  role: Role
  password_hash: string
  created_at: Generated<Date>
}

export interface SessionTable {
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
export interface InvitationTable {
  id: Fixed<string>
  kind: Fixed<'setup' | 'invite'>
  code_hash: Fixed<Buffer>
  email: Fixed<string | null>
  role: Fixed<Role>
  created_by: Fixed<string | null>
  created_at: Fixed<Date>
  expires_at: Fixed<Date>
}

/** Failed sign-ins, counted for an address, for an account, or for both together; see accounts/throttle.ts. */
export interface SignInFailureTable {
  scope: Fixed<string>
  failures: number
  next_attempt_at: Date
  updated_at: Date
}

export interface TokenTable {
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
  /** Null for the command line, and for those who are gone. */
  created_by: Fixed<string | null>
  /** Stays when the person is gone; null for the command line. */
  created_by_name: string | null
  created_at: Fixed<Date>
  last_used_at: Date | null
  last_used_from: string | null
  expires_at: Fixed<Date | null>
  revoked_at: Date | null
}

/** An answer kept for a repeated Idempotency-Key. No status yet: the request is running. */
export interface IdempotentRequestTable {
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
export interface RequestCountTable {
  scope: Fixed<string>
  minute: Fixed<Date>
  node_id: Fixed<string>
  count: number
}

export interface AuditTable {
  id: Generated<string>
  at: Fixed<Date>
  action: Fixed<string>
  /** Who: a user, a token or the command line. */
  actor: Fixed<string>
  /** To what. */
  object: Fixed<string | null>
  ip: Fixed<string | null>
}

/** A process that is up. Who stops beating, or loses its lock, is gone and its row with it. */
export interface NodeTable {
  id: Fixed<string>
  /** Of the advisory lock that it holds while it lives. */
  lock_number: Fixed<number>
  /** How many bots with a browser it can hold, and how many without. */
  bots: number
  practice_bots: number
  beat_at: Date
  /** When it was back after a time in which it did not beat or had no connection; null: there was none. */
  back_since: Date | null
}
