import { sql, type Kysely } from 'kysely'

/**
 * Who made a token is told also when that person is gone. Of those who were removed before, no name is left; the
 * audit still knows that they were people, and not the command line.
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
