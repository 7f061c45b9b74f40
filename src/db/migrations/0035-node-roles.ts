import { sql, type Kysely } from 'kysely'

/** What each node does, and whether it has the master key. Older versions do everything and write neither. */
const STATEMENTS = [
  `alter table node
    add roles text[] not null default '{api,bots,tasks}',
    add has_master_key boolean not null default true`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
