import { sql, type Kysely } from 'kysely'

/** Calendars whose meetings bots join, and the plan for the next two weeks. */
const STATEMENTS = [
  `create table calendar (
    id text primary key,
    user_id text references app_user on delete cascade,
    name text not null,
    kind text not null,
    url_sealed bytea not null,
    host text not null,
    address text,
    project text not null,
    account text,
    task text,
    callback_url text,
    token_id text,
    rules jsonb not null,
    is_paused boolean not null,
    time_zone text not null,
    etag text,
    last_modified text,
    next_poll_at timestamptz not null,
    polled_at timestamptz,
    read_at timestamptz,
    changed_at timestamptz,
    broken_since timestamptz,
    problem text,
    failures int not null default 0,
    empty_polls int not null default 0,
    owner text,
    fence int not null default 0,
    created_at timestamptz not null
  )`,
  `create index calendar_due on calendar (next_poll_at)`,
  `create index calendar_user on calendar (user_id)`,
  `create index calendar_project on calendar (project)`,
  `create table occurrence (
    id text primary key,
    calendar_id text not null references calendar on delete cascade,
    uid text not null,
    key text not null,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    is_all_day boolean not null,
    is_cancelled boolean not null,
    title text not null,
    organizer text,
    attendees jsonb not null,
    url text,
    room text,
    platform text,
    label text,
    override text,
    decision text not null,
    reason text not null,
    meeting_id text references meeting on delete set null,
    attended_start timestamptz,
    created_at timestamptz not null,
    unique (calendar_id, uid, key)
  )`,
  `create index occurrence_due on occurrence (starts_at)
    where decision = 'join' and attended_start is distinct from starts_at`,
  `create index occurrence_meeting on occurrence (meeting_id) where meeting_id is not null`,
  `create index occurrence_room on occurrence (room) where room is not null`,
  `create index occurrence_end on occurrence (calendar_id, ends_at)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
