import { sql, type Kysely } from 'kysely'

/** The start of an imported meeting can be edited too. */
const STATEMENTS = [
  `alter table meeting_edit drop constraint meeting_edit_kind_check,
    add constraint meeting_edit_kind_check check (kind in ('title', 'speaker', 'start'))`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
