import { sql, type Kysely } from 'kysely'

/** Work that is done later, perhaps by another node, continues the trace of what asked for it. */
const STATEMENTS = [
  `alter table meeting add trace_parent text`,
  `alter table execution add trace_parent text`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
