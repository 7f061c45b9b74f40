import type { ColumnType } from 'kysely'
import type { MemberRole, ProjectAccess } from '../../access/rules.ts'
import type { ShareEndReason } from '../../access/sharing/share-states.ts'
import type { Immutable } from './column.ts'

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
