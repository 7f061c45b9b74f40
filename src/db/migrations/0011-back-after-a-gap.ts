import { sql, type Kysely } from 'kysely'

/**
 * When a node has been connected again after an interruption. Right after it, the node cannot know which other nodes
 * are dead, because they may have been interrupted too.
 */
const STATEMENT = `alter table node add column back_since timestamptz`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(STATEMENT).execute(db)
}
