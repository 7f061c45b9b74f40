import { sql, type Kysely } from 'kysely'

/** Calendars that are read with the API of Microsoft or Google, and the accounts that people connected for it. */
const STATEMENTS = [
  `create table calendar_app (
    provider text primary key,
    client_id text not null,
    secret_sealed bytea not null,
    tenant text,
    cloud text,
    changed_at timestamptz not null
  )`,
  `create table calendar_account (
    id text primary key,
    user_id text not null references app_user on delete cascade,
    provider text not null,
    client_id text not null,
    subject text not null,
    address text not null,
    refresh_sealed bytea,
    access_sealed bytea,
    access_expires_at timestamptz,
    renew_fence int not null default 0,
    renew_until timestamptz,
    connected_at timestamptz not null,
    created_at timestamptz not null,
    unique (user_id, provider, subject)
  )`,
  `alter table calendar alter column url_sealed drop not null`,
  `alter table calendar add column calendar_account_id text references calendar_account`,
  `alter table calendar add column provider_calendar_id text`,
  `alter table calendar add column sync_cursor text`,
  `create index calendar_by_account on calendar (calendar_account_id) where calendar_account_id is not null`,
  // The rule did not exist before, so calendars that exist keep joining private meetings.
  `update calendar set rules = rules || '{"neverPrivate": false}'`,
  `create table calendar_event (
    calendar_id text not null references calendar on delete cascade,
    event_id text not null,
    data jsonb not null,
    primary key (calendar_id, event_id)
  )`,
  `create table calendar_subscription (
    id text primary key,
    calendar_id text references calendar on delete set null,
    calendar_account_id text not null references calendar_account on delete cascade,
    secret_hash bytea not null,
    provider_id text,
    resource_id text,
    expires_at timestamptz not null,
    created_at timestamptz not null
  )`,
  `create index calendar_subscription_calendar on calendar_subscription (calendar_id)`,
  `create index calendar_subscription_account on calendar_subscription (calendar_account_id)`,
  `alter table calendar add column subscribe_after timestamptz`,
  `alter table occurrence add column own_response text`,
  `alter table occurrence add column is_private boolean not null default false`,
  `alter table occurrence add column join_url text`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
