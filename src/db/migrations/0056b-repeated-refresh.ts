import { sql, type Kysely } from 'kysely'

/** A refresh token and an access token know the refresh token for which they were issued. */
const STATEMENTS = [
  `alter table oauth_secret add replaces bytea`,
  `create index oauth_secret_by_replaced on oauth_secret (replaces) where replaces is not null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
