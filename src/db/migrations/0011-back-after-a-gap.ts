import { sql, type Kysely } from 'kysely'

/** A node that was cut off cannot tell at once who else is gone: the others were cut off with it. */
const STATEMENT = `alter table node add column back_since timestamptz`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(STATEMENT).execute(db)
}
