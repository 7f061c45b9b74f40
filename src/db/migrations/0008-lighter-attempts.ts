import { sql, type Kysely } from 'kysely'

/**
 * Removes the id from both indexes of delivery attempts. The indexes were a third of a delivery's database cost, mostly
 * because ids are long and unique. An index on the time alone is as selective.
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
