import type { ColumnType, Generated } from 'kysely'
import type { Role, ApiTokenScope } from '../../accounts/roles.ts'
import type { Immutable } from './column.ts'

/** A single row with values that all nodes of this instance share. */
export interface InstanceTableColumns {
  id: Generated<number>
  instance_id: Immutable<string>
  /** A known text encrypted with the master key, so that a node with another key can be detected and stopped. */
  master_key_check: Immutable<Buffer>
  created_at: Generated<Date>
}

export interface UserTableColumns {
  id: Immutable<string>
  /** Email address of the user: unique, and stored in lower case. */
  email: Immutable<string>
  name: string
  role: Role
  password_hash: string
  created_at: Generated<Date>
}

export interface SessionTableColumns {
  id: Immutable<string>
  /** SHA-256 of the cookie's value; the value itself is not stored. */
  secret_hash: Immutable<Buffer>
  user_id: Immutable<string>
  ip: Immutable<string>
  user_agent: Immutable<string>
  created_at: Immutable<Date>
  last_seen_at: Date
}

/** A one-time link: the setup link for the first user (without a creator) or an invitation by an admin. */
export interface InvitationTableColumns {
  id: Immutable<string>
  kind: Immutable<'setup' | 'invite'>
  code_hash: Immutable<Buffer>
  email: Immutable<string | null>
  role: Immutable<Role>
  created_by: Immutable<string | null>
  created_at: Immutable<Date>
  expires_at: Immutable<Date>
}

/** Failed sign-ins, counted per address, per account, or per pair of both; see accounts/sign-in/sign-in-throttle.ts. */
export interface SignInFailureTableColumns {
  scope: Immutable<string>
  failures: number
  next_attempt_at: Date
  updated_at: Date
}

export interface ApiTokenTableColumns {
  id: Immutable<string>
  name: Immutable<string>
  /** SHA-256 of the API key. */
  key_hash: Immutable<Buffer>
  key_prefix: Immutable<string>
  key_last4: Immutable<string>
  /** The signing secret, encrypted with the master key. */
  signing_secret: Buffer
  /** The next signing secret, encrypted; null when no rotation is in progress. */
  next_secret: ColumnType<Buffer | null, never, Buffer | null>
  next_secret_at: ColumnType<Date | null, never, Date | null>
  /** The previous signing secret, which stays valid until `old_secret_until`. */
  old_secret: ColumnType<Buffer | null, never, Buffer | null>
  old_secret_until: ColumnType<Date | null, never, Date | null>
  scopes: Immutable<ApiTokenScope[] | null>
  /** User id of the creator; null when it was the command line or the user has been removed. */
  created_by: Immutable<string | null>
  /** Name of the creator, retained when the user is removed; null for the command line. */
  created_by_name: string | null
  created_at: Immutable<Date>
  last_used_at: Date | null
  last_used_from: string | null
  expires_at: Immutable<Date | null>
  revoked_at: Date | null
}

export interface AuditTableColumns {
  id: Generated<string>
  at: Immutable<Date>
  action: Immutable<string>
  /** Who performed the action: a user, a token, the command line or maintenance. */
  actor: Immutable<string>
  /** Id of the user, token or other object that the action changed. */
  object: Immutable<string | null>
  ip: Immutable<string | null>
}
