import { sql, type Kysely } from 'kysely'

/** Names and terms of a project, with which recognized speech is corrected, and when bots of a calendar recognize speech. */
const STATEMENTS = [
  `create table vocabulary_term (
    project text not null,
    term text not null,
    added_at timestamptz not null,
    primary key (project, term)
  )`,
  `alter table calendar add column speech text not null default 'fallback'`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
