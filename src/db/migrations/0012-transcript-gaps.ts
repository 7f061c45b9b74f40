import { sql, type Kysely } from 'kysely'

/** Times when nothing was recorded, and each dead node's last heartbeat, because its bots recorded until then. */
const STATEMENTS = [
  `create table transcript_gap (
    meeting_id text not null references meeting on delete cascade,
    number int not null,
    cause text not null,
    started_at timestamptz not null,
    ended_at timestamptz,
    after_segment int not null,
    is_reported boolean not null default false,
    primary key (meeting_id, number)
  )`,
  `create table dead_node (
    id text primary key,
    beat_at timestamptz not null,
    died_at timestamptz not null default now()
  )`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
