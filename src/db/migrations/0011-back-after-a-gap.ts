import { sql, type Kysely } from 'kysely'

/**
 * The time when a node was connected again after an interruption. At first, the node can't know which other nodes are
 * dead, because they may have been interrupted too.
 */
const STATEMENT = `alter table node add column back_since timestamptz`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(STATEMENT).execute(db)
}
