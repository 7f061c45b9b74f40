import { sql, type Kysely } from 'kysely'

/** What the console remembers for each user, and an index that finds a person's action items. */
const STATEMENTS = [
  `create table user_mark (
    user_id text not null references app_user on delete cascade,
    kind text not null,
    key text not null,
    at timestamptz not null,
    primary key (user_id, kind, key)
  )`,
  // People who already work with Hansard don't need the list of first steps after an upgrade.
  `insert into user_mark (user_id, kind, key, at)
    select id, 'get_started', 'hidden', now() from app_user where exists (select from meeting)`,
  `create index action_item_owner on action_item (owner) where owner is not null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
