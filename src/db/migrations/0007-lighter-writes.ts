import { sql, type Kysely } from 'kysely'

/**
 * Checking the meeting again for each row cost a quarter of what a delivery costs the database. Nothing is lost
 * with it: whoever writes these rows holds the row of the meeting or of its lane in the same statement, and
 * whoever removes a meeting takes that row first (src/meetings/removal.ts).
 */
const STATEMENTS = ['segment', 'event', 'delivery_attempt'].map(
  (table) => `alter table ${table} drop constraint ${table}_meeting_id_fkey`,
)

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
