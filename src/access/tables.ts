import type { ColumnType } from 'kysely'
import type { Immutable } from '../db/schema.ts'
import type { GroupRole, MemberRole, ProjectAccess } from './rules.ts'
import type { ShareEndReason } from './sharing/share-states.ts'

declare module '../db/schema.ts' {
  interface Database {
    /** The ids that projects have or had. */
    project_name: {
      id: Immutable<string>
      /** The id without letter case. */
      folded: Immutable<string>
      /** True if the project is older than the rule of one project for each name in any letter case. */
      is_older_twin: ColumnType<boolean, undefined, never>
    }
    /** Who may use a project. A project without a row is a team project. */
    project_access: {
      project: Immutable<string>
      access: ProjectAccess
      /** User id of the creator. Null if a service token created the project, or if it is older than access rules. */
      created_by: Immutable<string | null>
      created_at: Immutable<Date>
    }
    /** A user with a role in a project. Only these users see a private project. */
    project_member: {
      project: Immutable<string>
      user_id: Immutable<string>
      /** What the member may do: the stronger of the two roles below. */
      role: MemberRole
      /** The role that a person gave. Null if the user is a member only through groups. */
      own_role: ColumnType<MemberRole | null, MemberRole | null | undefined, MemberRole | null>
      /** The role that groups of the identity provider give. Null if none does. */
      group_role: ColumnType<GroupRole | null, undefined, GroupRole | null>
      /** Who added the member or last changed the role, as in the audit log. */
      added_by: string | null
      added_at: Date
    }
    /** A read-only link to one meeting or document. Ended links stay for a while, so that owners see why they ended. */
    share_link: {
      id: Immutable<string>
      /** SHA-256 of the secret in the link. The secret itself is not stored. */
      secret_hash: Immutable<Buffer>
      /** The project of the meeting or document when the link was created. */
      project: Immutable<string>
      /** Null for a document. */
      meeting_id: Immutable<string | null>
      /** Path of the document in its project. Null for a meeting. */
      path: Immutable<string | null>
      password_hash: Immutable<string | null>
      /** The address of the guest to whom the link was mailed. Null for a link that a person or program created. */
      recipient: ColumnType<string | null, string | null | undefined, never>
      /** As in the audit log. */
      created_by: Immutable<string>
      /** The user whose rights the link needs. Null if a service token created it. */
      creator_id: Immutable<string | null>
      created_at: Immutable<Date>
      expires_at: Immutable<Date>
      ended_at: ColumnType<Date | null, undefined, Date>
      end_reason: ColumnType<ShareEndReason | null, undefined, ShareEndReason>
      use_count: ColumnType<number, undefined, number>
      last_used_at: ColumnType<Date | null, undefined, Date>
    }
  }
}
