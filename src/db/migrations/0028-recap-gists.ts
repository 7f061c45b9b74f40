import { sql, type Kysely } from 'kysely'

/**
 * The first sentence of each recap as a column of its own, because lists of meetings show it and must not read whole recaps.
 * PostgreSQL keeps it in step with the recap.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table recap add column gist text
    generated always as (data->'summary'->0->>'text') stored`.execute(db)
}
