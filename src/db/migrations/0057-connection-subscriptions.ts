import { sql, type Kysely } from 'kysely'

/** Microsoft reports new transcripts of the organizers of a connection. */
const STATEMENTS = [
  `create table connection_subscription (
    id text primary key,
    connection_id text not null references connection on delete cascade,
    organizer text not null,
    user_id text not null,
    notification_url text not null,
    secret_hash bytea not null,
    provider_id text,
    expires_at timestamptz not null,
    next_attempt_at timestamptz not null,
    problem text,
    unique (connection_id, organizer)
  )`,
  `alter table connection_organizer add column reported_at timestamptz`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
