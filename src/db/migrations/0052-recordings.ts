import { sql, type Kysely } from 'kysely'

/** Recordings that wait to be recognized. Their sound is encrypted, and is deleted when a recording is over. */
const STATEMENTS = [
  `create table recording (
    id text primary key,
    project text not null,
    viewer jsonb not null,
    token_id text,
    file_name text not null,
    title text,
    started_at timestamptz,
    language text,
    recap_language text,
    byte_count bigint not null,
    key_sealed bytea,
    state text not null,
    created_at timestamptz not null,
    changed_at timestamptz not null,
    info jsonb,
    has_channel_speakers boolean,
    position_ms int not null default 0,
    lost_ms int not null default 0,
    line_count int not null default 0,
    attempts int not null default 0,
    due_at timestamptz not null,
    detail text,
    meeting_id text references meeting on delete set null,
    owner text,
    fence int not null default 0
  )`,
  `create index recording_due on recording (due_at) where state = 'waiting'`,
  `create index recording_of_meeting on recording (meeting_id)`,
  `create table recording_chunk (
    recording_id text not null references recording on delete cascade,
    number int not null,
    bytes bytea not null,
    primary key (recording_id, number)
  )`,
  // Encrypted bytes cannot be compressed.
  `alter table recording_chunk alter column bytes set storage external`,
  `create table recording_line (
    recording_id text not null references recording on delete cascade,
    number int not null,
    channel int not null,
    text text not null,
    start_ms int not null,
    primary key (recording_id, number)
  )`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
