import { sql, type Kysely } from 'kysely'

/**
 * The first sentence of each recap in its own column, because lists of meetings show it and must not read whole recaps.
 * PostgreSQL updates it with the recap.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table recap add column gist text
    generated always as (data->'summary'->0->>'text') stored`.execute(db)
}
