import type { ColumnType, Generated } from 'kysely'
import type { MemberRole, ProjectAccess } from '../../access/rules.ts'
import type { ShareEndReason } from '../../access/sharing/share-states.ts'
import type { ApiTokenKind, ApiTokenScope, Role } from '../../accounts/roles.ts'
import type { UserMarkKind } from '../../accounts/users/mark-keys.ts'
import type { PlatformName } from '../../bots/platforms/platform.ts'
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
  email: string
  name: string
  role: Role
  /** Null for a user who signs in only with a provider or a passkey. */
  password_hash: string | null
  created_at: Generated<Date>
  /** Whether the user is told that projects can be private. True for those who were admins when this became possible. */
  has_access_notice: Generated<boolean>
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
  /** The encrypted ID token of a sign-in with a provider, which ends the session there too; null otherwise. */
  id_token: ColumnType<Buffer | null, Buffer | null | undefined, never>
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
  /** Whether the token acts for the instance or with the rights of its creator. */
  kind: Immutable<ApiTokenKind>
  /** The only projects that the token may use; null for all. */
  projects: Immutable<string[] | null>
  /** Whether the token uses no private project: true for those that removed users left before projects had access. */
  team_only: ColumnType<boolean, never, never>
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
  /** What changed, for example the old and the new role. */
  detail: ColumnType<string | null, string | null | undefined, never>
}

/** A one-time link with which a user sets a new password. A new link replaces the one before. */
export interface PasswordResetTableColumns {
  user_id: Immutable<string>
  code_hash: Buffer
  /** The admin who created the link; null for the command line. The link ends when this user is no longer an admin. */
  created_by: string | null
  created_at: Date
  expires_at: Date
}

/** What one browser must answer within minutes to sign in, to link a provider or to add a passkey. */
export interface SignInChallengeTableColumns {
  /** SHA-256 of the value that the answer contains. */
  key_hash: Immutable<Buffer>
  kind: Immutable<string>
  /** SHA-256 of a cookie of the browser that began. */
  browser_hash: Immutable<Buffer>
  /** The signed-in user who began; null for a sign-in. */
  user_id: Immutable<string | null>
  /** What the check of the answer needs, encrypted. */
  data: Immutable<Buffer>
  expires_at: Immutable<Date>
}

/** An account of a user at an OpenID provider. */
export interface ExternalIdentityTableColumns {
  id: Immutable<string>
  issuer: Immutable<string>
  /** Identifies the person at the issuer for ever, unlike the email address. */
  subject: Immutable<string>
  user_id: Immutable<string>
  email: string | null
  created_at: Immutable<Date>
  last_used_at: Date | null
}

export interface PasskeyTableColumns {
  id: Immutable<string>
  user_id: Immutable<string>
  name: Immutable<string>
  /** The id of the credential in base64url. */
  credential_id: Immutable<string>
  public_key: Immutable<Buffer>
  /** How often the authenticator has signed; it stays 0 for passkeys that several devices share. */
  counter: ColumnType<string, number, number>
  transports: Immutable<string[]>
  created_at: Immutable<Date>
  last_used_at: ColumnType<Date | null, Date | null | undefined, Date>
}

/** Something that the console remembers for a user; see accounts/users/mark-keys.ts. */
export interface UserMarkTableColumns {
  user_id: Immutable<string>
  kind: Immutable<UserMarkKind>
  key: Immutable<string>
  at: Date
}

/** The ids that projects have or had. */
export interface ProjectNameTableColumns {
  id: Immutable<string>
  /** The id without letter case. */
  folded: Immutable<string>
  /** The project is older than the rule of one project for each name in any letter case. */
  is_older_twin: ColumnType<boolean, undefined, never>
}

/** Who may use a project. A project without a row is a team project. */
export interface ProjectAccessTableColumns {
  project: Immutable<string>
  access: ProjectAccess
  /** User id of the creator; null when the project was created by a service token or before there was access. */
  created_by: Immutable<string | null>
  created_at: Immutable<Date>
}

/** A user with a role in a project. Only these users see a private project. */
export interface ProjectMemberTableColumns {
  project: Immutable<string>
  user_id: Immutable<string>
  role: MemberRole
  /** Who added the member or last changed the role, as in the audit log. */
  added_by: string | null
  added_at: Date
}

/** A read-only link to one meeting or one document. Ended links stay for a while, so that owners see why they ended. */
export interface ShareLinkTableColumns {
  id: Immutable<string>
  /** SHA-256 of the secret in the link; the secret itself is stored nowhere. */
  secret_hash: Immutable<Buffer>
  /** The project of the meeting or document when the link was created. */
  project: Immutable<string>
  /** Null for a document. */
  meeting_id: Immutable<string | null>
  /** Path of the document in its project; null for a meeting. */
  path: Immutable<string | null>
  password_hash: Immutable<string | null>
  /** As in the audit log. */
  created_by: Immutable<string>
  /** User whose rights the link needs; null when a service token created it. */
  creator_id: Immutable<string | null>
  created_at: Immutable<Date>
  expires_at: Immutable<Date>
  ended_at: ColumnType<Date | null, undefined, Date>
  end_reason: ColumnType<ShareEndReason | null, undefined, ShareEndReason>
  use_count: ColumnType<number, undefined, number>
  last_used_at: ColumnType<Date | null, undefined, Date>
}

/** A signed-in platform account that bots can join meetings with. */
export interface BotAccountTableColumns {
  name: Immutable<string>
  platform: Immutable<PlatformName>
  /** How many bots may use the account concurrently, over all nodes. */
  bot_limit: number
  /** Cookies and storage of a signed-in browser, encrypted with the master key. */
  state: Buffer
  /** Increases with each change of `state`, so that a writer that has read an older state is refused. */
  version: Generated<number>
  added_at: Immutable<Date>
  last_used_at: Date | null
  refreshed_at: Date | null
}
