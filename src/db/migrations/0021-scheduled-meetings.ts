import { sql, type Kysely } from 'kysely'

/** Meetings that a bot joins later. */
const STATEMENTS = [
  `alter table meeting add column join_at timestamptz, add column expected_end_at timestamptz,
    add column scheduled_viewer jsonb`,
  `create index meeting_scheduled on meeting (join_at, id) where status = 'scheduled'`,
  // Without scheduled meetings, so that a claim does not read all of them.
  `drop index meeting_active`,
  `create index meeting_active on meeting (started_at) where status not in ('ended', 'error', 'scheduled')`,
  `drop index meeting_account`,
  `create index meeting_account on meeting (account)
    where account is not null and status not in ('ended', 'error', 'scheduled')`,
  // Counts the meetings that one token or person has scheduled.
  `create index meeting_scheduled_token on meeting (token_id) where status = 'scheduled'`,
  `create index meeting_scheduled_user on meeting ((scheduled_viewer ->> 'userId')) where status = 'scheduled'`,
  // Scheduled meetings are the newest entries. A history of another status must not read them.
  `create index meeting_begun on meeting (started_at desc, id desc) where status <> 'scheduled'`,
  // Only ended meetings are indexed, so that the search for the next one does not read scheduled meetings.
  `drop index meeting_words_version`,
  `create index meeting_words_version on meeting (words_version, started_at desc) where ended_at is not null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
