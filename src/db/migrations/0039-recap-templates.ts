import { sql, type Kysely } from 'kysely'

/** What projects want their recaps to be, and titles that a model gave to meetings without one. */
const STATEMENTS = [
  // The same collation as in project_access.
  `create table recap_template (
    project text collate "C" primary key,
    language text,
    sections text[],
    instructions text not null default '',
    changed_at timestamptz not null
  )`,
  `alter table meeting add column recap_title text`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
