import { sql, type Kysely } from 'kysely'

/**
 * Stores the creator's name with each token, so that it stays known after the user is removed. The names of users who
 * were removed earlier are lost, but the audit log shows that a user, not the command line, created their tokens.
 */
const STATEMENTS = [
  `alter table api_token add column created_by_name text`,
  `update api_token set created_by_name = app_user.name
    from app_user where app_user.id = api_token.created_by`,
  `update api_token set created_by_name = 'somebody who was removed'
    from audit
    where api_token.created_by is null and audit.object = api_token.id
      and audit.action = 'token created' and audit.actor like 'user:%'`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
