import { sql, type Kysely } from 'kysely'

/** When recaps were first made, who wants a digest of them by mail and when, and the secret addresses of feeds. */
const STATEMENTS = [
  `alter table recap add column ready_at timestamptz`,
  `update recap set ready_at = made_at where made_at is not null`,
  `create index recap_ready on recap (ready_at) where ready_at is not null`,
  `create index action_item_due on action_item (due_date) where state = 'open'`,
  `alter table mail_choice
    alter column recaps set default 'all',
    add column digest text not null default 'none',
    add column digest_weekday text not null default 'monday',
    add column digest_hour int not null default 8,
    add column time_zone text,
    add column digest_due_at timestamptz`,
  `create index mail_choice_digest_due on mail_choice (digest_due_at) where digest_due_at is not null`,
  `create table digest_feed (
    user_id text primary key references app_user on delete cascade,
    secret_hash bytea not null unique,
    created_at timestamptz not null,
    content_hash bytea,
    changed_at timestamptz not null
  )`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
