import { sql, type Kysely } from 'kysely'

/** Read-only links to one meeting or document, for people without an account. */
const STATEMENTS = [
  `create table share_link (
    id text primary key,
    secret_hash bytea not null unique,
    project text not null,
    meeting_id text references meeting on delete cascade,
    path text,
    password_hash text,
    created_by text not null,
    creator_id text,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz,
    end_reason text,
    use_count integer not null default 0,
    last_used_at timestamptz,
    check ((meeting_id is null) <> (path is null))
  )`,
  `create index share_link_project on share_link (project)`,
  `create index share_link_meeting on share_link (meeting_id)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
