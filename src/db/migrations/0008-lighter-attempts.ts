import { sql, type Kysely } from 'kysely'

/**
 * The two indexes of attempts were a third of what a delivery costs the database, most of it for ids, which are long
 * and never the same twice. By time alone as many rows are found; those of the same moment are told apart in the row.
 */
const STATEMENTS = [
  `alter table delivery_attempt drop constraint delivery_attempt_pkey`,
  `drop index attempt_of_meeting`,
  `create index attempt_time on delivery_attempt (started_at)`,
  `create index attempt_of_meeting on delivery_attempt (meeting_id, started_at)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
