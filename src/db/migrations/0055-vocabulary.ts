import { sql, type Kysely } from 'kysely'

/** Names and terms of a project, with which recognized speech is corrected. */
const STATEMENTS = [
  `create table vocabulary_term (
    project text not null,
    term text not null,
    added_at timestamptz not null,
    primary key (project, term)
  )`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
