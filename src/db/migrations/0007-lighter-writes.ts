import { sql, type Kysely } from 'kysely'

/**
 * Drops three foreign keys to `meeting`, whose checks were a quarter of a delivery's database cost. They are not
 * needed: writers of these rows lock the meeting's row or lane in the same statement, and the removal of a meeting
 * locks that row first.
 */
const STATEMENTS = ['segment', 'event', 'delivery_attempt'].map(
  (table) => `alter table ${table} drop constraint ${table}_meeting_id_fkey`,
)

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
