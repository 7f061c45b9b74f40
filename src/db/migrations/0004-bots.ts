import { sql, type Kysely } from 'kysely'

const STATEMENTS = [
  `create table evidence (
    meeting_id text not null references meeting on delete cascade,
    number integer not null,
    at timestamptz not null,
    state text not null,
    marks text[] not null,
    survey jsonb not null,
    screenshot bytea,
    primary key (meeting_id, number)
  )`,
  // Screenshots are already compressed, so PostgreSQL should not compress them again.
  `alter table evidence alter column screenshot set storage external`,
  `create index evidence_age on evidence (at)`,
  `create table meeting_warning (
    meeting_id text not null references meeting on delete cascade,
    code text not null,
    subject text not null,
    text text not null,
    at timestamptz not null,
    primary key (meeting_id, code, subject)
  )`,
  `create table bot_account (
    name text primary key,
    platform text not null,
    bot_limit integer not null,
    state bytea not null,
    version integer not null default 1,
    added_at timestamptz not null,
    last_used_at timestamptz,
    refreshed_at timestamptz
  )`,
  `alter table meeting add column account text generated always as (options ->> 'account') stored`,
  `create index meeting_account on meeting (account)
    where account is not null and status not in ('ended', 'error')`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
