import { sql, type Kysely } from 'kysely'

/** Lanes store since when their receiver fails, not only since when it rejects an event, and people can retry them. */
const STATEMENTS = [
  `alter table lane rename column rejected_since to failing_since`,
  `alter table lane add column retry_asked boolean not null default false`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
