import { sql, type Kysely } from 'kysely'

/** Titles and speaker names that people changed, with their history. */
const STATEMENTS = [
  // Keyed by the platform's name: the name that a person gave, and its words for the search.
  `alter table meeting add column speaker_names jsonb not null default '{}',
    add column edit_count integer not null default 0,
    add column document_edit integer not null default 0`,
  `alter table segment add column platform_speaker text`,
  `create table meeting_edit (
    meeting_id text not null references meeting (id) on delete cascade,
    number integer not null,
    at timestamptz not null,
    kind text not null check (kind in ('title', 'speaker')),
    before text,
    after text,
    platform_names text[] not null default '{}',
    actor text not null,
    actor_name text not null,
    primary key (meeting_id, number)
  )`,
  // Meetings whose document does not have the newest names yet.
  `create index meeting_outdated_document on meeting (id) where document_edit < edit_count and ended_at is not null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
