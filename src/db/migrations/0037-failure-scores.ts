import { sql, type Kysely } from 'kysely'

/** The column never counted attempts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table meeting rename column attempts to failure_score`.execute(db)
}
