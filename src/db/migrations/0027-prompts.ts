import { sql, type Kysely } from 'kysely'

/** Who wrote a prompt in the console, and which executions were cancelled. */
const STATEMENTS = [
  // A prompt is a file. The hashes identify the texts that the service wrote, so that a file that was replaced by hand
  // has no author.
  `create table prompt_author (
    name text primary key,
    author_id text not null references app_user (id) on delete cascade,
    sha256s text[] not null
  )`,
  `create index prompt_author_user on prompt_author (author_id)`,
  `alter table execution add column is_cancelled boolean not null default false`,
  `update execution set is_cancelled = true where status = 'failed' and result_summary = 'Cancelled'`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
