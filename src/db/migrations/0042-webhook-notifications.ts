import { sql, type Kysely } from 'kysely'

/** Messages about the meetings and tasks of a project, which a lane sends to its chat. */
const STATEMENTS = [
  // The same collation as in project_access.
  `create table notification (
    id text primary key,
    project text collate "C" not null,
    name text not null,
    format text not null,
    topics text[] not null,
    host text not null,
    url_sealed bytea not null,
    last_sequence int not null default 0,
    created_by text not null,
    created_at timestamptz not null
  )`,
  `create index notification_of_project on notification (project)`,
  `create table notification_message (
    notification_id text not null references notification on delete cascade,
    sequence int not null,
    meeting_id text references meeting on delete cascade,
    type text not null,
    at timestamptz not null,
    body text not null,
    primary key (notification_id, sequence)
  )`,
  `create index notification_message_meeting on notification_message (meeting_id)`,
  `alter table lane
    alter column meeting_id drop not null,
    add column notification_id text references notification on delete cascade,
    add check ((meeting_id is null) <> (notification_id is null))`,
  `create unique index lane_of_notification on lane (notification_id) where notification_id is not null`,
  `alter table delivery_attempt alter column meeting_id drop not null`,
  `create index attempt_of_notification on delivery_attempt (lane_id, started_at)
    where meeting_id is null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
