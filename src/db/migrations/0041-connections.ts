import { sql, type Kysely } from 'kysely'

/** Connections of the organization, whose official transcripts are read, and what was read. */
const STATEMENTS = [
  `create table connection (
    id text primary key,
    kind text not null,
    name text not null,
    cloud text not null,
    tenant text not null,
    client_id text not null,
    credential_kind text not null,
    credential_sealed bytea not null,
    thumbprint text,
    credential_expires_at timestamptz,
    project text,
    excluded_titles text[] not null,
    reads_from timestamptz not null,
    is_paused boolean not null,
    next_poll_at timestamptz not null,
    polled_at timestamptz,
    read_at timestamptz,
    problem text,
    problem_detail text,
    broken_since timestamptz,
    failures int not null default 0,
    owner text,
    fence int not null default 0,
    created_at timestamptz not null
  )`,
  `create index connection_due on connection (next_poll_at)`,
  `create table connection_organizer (
    connection_id text not null references connection on delete cascade,
    address text not null,
    user_id text,
    sync_link text,
    problem text,
    problem_detail text,
    polled_at timestamptz,
    read_at timestamptz,
    primary key (connection_id, address)
  )`,
  `create table connection_transcript (
    connection_id text not null references connection on delete cascade,
    transcript_id text not null,
    organizer text not null,
    user_id text not null,
    online_meeting_id text not null,
    began_at timestamptz not null,
    ended_at timestamptz,
    state text not null,
    problem text,
    problem_detail text,
    attempts int not null default 0,
    next_attempt_at timestamptz,
    meeting_id text,
    content_sha256 bytea,
    changed_at timestamptz,
    found_at timestamptz not null,
    primary key (connection_id, transcript_id)
  )`,
  `create index connection_transcript_due on connection_transcript (connection_id, began_at)
    where next_attempt_at is not null`,
  `create index connection_transcript_newest on connection_transcript (connection_id, began_at desc)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
