import { sql, type Kysely } from 'kysely'

const STATEMENTS = [
  `create table meeting (
    id text primary key,
    platform text not null,
    url text not null,
    room text not null,
    label text not null,
    title text,
    project text not null,
    document_path text unique,
    callback_url text not null,
    token_id text references api_token on delete set null,
    options jsonb not null,
    status text not null,
    reason text,
    detail text,
    started_at timestamptz not null,
    live_at timestamptz,
    ended_at timestamptz,
    last_sequence integer not null default 0,
    segment_count integer not null default 0,
    flushed_count integer not null default 0,
    document_size integer not null default 0,
    participant_count integer not null default 0,
    attempts integer not null default 0,
    owner text,
    fence integer not null default 0,
    lease_until timestamptz
  )`,
  `create index meeting_active on meeting (started_at) where status not in ('ended', 'error')`,
  `create index meeting_history on meeting (started_at desc, id)`,
  `create index meeting_room on meeting (room)`,
  `create table segment (
    meeting_id text not null references meeting on delete cascade,
    number integer not null,
    caption_id text not null,
    speaker text not null,
    text text not null,
    started_at timestamptz not null,
    primary key (meeting_id, number)
  )`,
  `create table participant (
    meeting_id text not null references meeting on delete cascade,
    id text not null,
    name text not null,
    is_host boolean not null default false,
    joined_at timestamptz not null,
    left_at timestamptz,
    primary key (meeting_id, id)
  )`,
  `create table event (
    meeting_id text not null references meeting on delete cascade,
    sequence integer not null,
    type text not null,
    at timestamptz not null,
    body text not null,
    primary key (meeting_id, sequence)
  )`,
  `create table insight (
    meeting_id text not null references meeting on delete cascade,
    id text not null,
    category text not null,
    text text not null,
    segment_numbers integer[] not null,
    at timestamptz not null,
    primary key (meeting_id, id)
  )`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
