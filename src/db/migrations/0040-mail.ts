import { sql, type Kysely } from 'kysely'

/** Mail that waits and mail that was sent, without its content, and who wants which mail. */
const STATEMENTS = [
  `create table mail (
    id text primary key,
    kind text not null,
    unique_key text not null unique,
    user_id text references app_user on delete cascade,
    address text,
    meeting_id text references meeting on delete cascade,
    sealed_code bytea,
    state text not null,
    reason text,
    response text,
    attempts int not null default 0,
    due_at timestamptz,
    owner text,
    fence int not null default 0,
    attempted_at timestamptz,
    created_at timestamptz not null,
    finished_at timestamptz,
    check (num_nonnulls(user_id, address) = 1)
  )`,
  `create index mail_due on mail (due_at) where due_at is not null`,
  `create index mail_attempted on mail (attempted_at)`,
  `create index mail_newest on mail (created_at, id)`,
  `create index mail_user on mail (user_id)`,
  `create index mail_meeting on mail (meeting_id)`,
  `create table mail_choice (
    user_id text primary key references app_user on delete cascade,
    recaps text not null
  )`,
  `alter table recap_template add column mail_recipients text not null default 'nobody'`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
