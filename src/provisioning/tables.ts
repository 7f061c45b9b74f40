import type { ColumnType, Generated } from 'kysely'
import type { Immutable } from '../db/schema.ts'
import type { GroupRole } from '../access/rules.ts'
import type { UserAttributes } from './scim/user-fields.ts'

declare module '../db/schema.ts' {
  interface Database {
    /** A single row: the admins' choices about provisioning. */
    provisioning: {
      id: Generated<number>
      is_on: boolean
      /** True if deactivation also revokes the service tokens that the person created. */
      revokes_service_tokens: boolean
    }
    /** The secret of a provisioning client. */
    provisioning_token: {
      id: Immutable<string>
      name: Immutable<string>
      /** SHA-256 of the token. */
      token_hash: Immutable<Buffer>
      last4: Immutable<string>
      /** Id of the admin. Null for the command line. */
      created_by: Immutable<string | null>
      created_at: Immutable<Date>
      last_used_at: ColumnType<Date | null, undefined, Date>
    }
    /** What a provisioning client has stored about a user. Users that no client has changed have no row. */
    scim_user: {
      user_id: Immutable<string>
      user_name: string
      /** In lower case, and unique. */
      folded_user_name: string
      external_id: string | null
      attributes: ColumnType<UserAttributes, string, string>
      /** True if a provisioning client created the account. Only such an account is linked at a sign-in. */
      is_creation: Immutable<boolean>
      updated_at: Date
      /** Set for an account that the client deleted, but that still owns private projects. */
      deleted_at: ColumnType<Date | null, undefined, Date | null>
    }
    scim_group: {
      id: Immutable<string>
      display_name: string
      folded_display_name: string
      external_id: string | null
      /** Increases with each change by a client. */
      version: number
      created_at: Immutable<Date>
      updated_at: Date
    }
    scim_group_member: {
      group_id: Immutable<string>
      user_id: Immutable<string>
    }
    /** What the members of a group may do in a project. */
    scim_group_role: {
      group_id: Immutable<string>
      project: Immutable<string>
      role: GroupRole
    }
  }
}
