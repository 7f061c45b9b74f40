import { sql, type Kysely } from 'kysely'

const STATEMENTS = [
  `create table node (
    id text primary key,
    lock_number integer not null,
    bots integer not null,
    practice_bots integer not null,
    beat_at timestamptz not null
  )`,
  `alter table meeting
    drop column lease_until,
    add column claim_after timestamptz,
    add column claimed_at timestamptz,
    add column reserved_sequence integer not null default 0`,
  `create index meeting_held on meeting (owner) where owner is not null`,
  // Meeting rows change with every event. Free space in pages lets PostgreSQL update them without touching indexes.
  `alter table meeting set (fillfactor = 70)`,
  // Ordering by the writing transaction gives the events of all meetings one order, from which readers can resume.
  `alter table event
    add column written_by xid8 not null default pg_current_xact_id()`,
  `create index event_order on event (written_by, meeting_id, sequence)`,
  `create index event_age on event (at)`,
  `alter table insight
    add column severity text not null default 'info',
    add column title text not null default '',
    add column speaker text,
    add column engine text not null default 'rules'`,
  `create table lane (
    id text primary key,
    meeting_id text not null references meeting on delete cascade,
    kind text not null,
    url text not null,
    token_id text references api_token on delete set null,
    events text[],
    state text not null default 'open',
    delivered_through integer not null default 0,
    ends_at integer,
    previous_sequence integer not null default 0,
    failures integer not null default 0,
    rejections integer not null default 0,
    rejected_since timestamptz,
    due_at timestamptz,
    last_error text,
    delivered_count integer not null default 0,
    dead_count integer not null default 0,
    owner text,
    fence integer not null default 0,
    created_at timestamptz not null
  ) with (fillfactor = 50)`,
  `create unique index lane_of_meeting on lane (meeting_id) where kind = 'meeting'`,
  `create index lane_meeting on lane (meeting_id)`,
  `create index lane_due on lane (due_at) where due_at is not null`,
  `create index lane_held on lane (owner) where owner is not null`,
  // Running meetings from before lanes existed get a lane for their callbacks. Ended ones don't.
  `insert into lane (id, meeting_id, kind, url, token_id, due_at, created_at)
    select 'lane_' || substr(id, 9), id, 'meeting', callback_url, token_id, now(), now()
    from meeting where status not in ('ended', 'error')`,
  // Attempts are also read and deleted in the order of the primary key, which saves a second index.
  `create table delivery_attempt (
    id text not null,
    lane_id text not null,
    meeting_id text not null references meeting on delete cascade,
    sequence integer not null,
    type text not null,
    started_at timestamptz not null,
    duration_ms integer not null,
    outcome text not null,
    status integer,
    error text,
    answer text not null,
    next_attempt_at timestamptz,
    primary key (started_at, id)
  )`,
  `create index attempt_of_meeting on delivery_attempt (meeting_id, started_at, id)`,
  `create table dead_letter (
    meeting_id text not null references meeting on delete cascade,
    sequence integer not null,
    reason text not null,
    at timestamptz not null,
    primary key (meeting_id, sequence)
  )`,
  `alter table api_token
    add column next_secret bytea,
    add column next_secret_at timestamptz,
    add column old_secret bytea,
    add column old_secret_until timestamptz`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
