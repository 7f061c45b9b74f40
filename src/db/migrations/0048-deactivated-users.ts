import { sql, type Kysely } from 'kysely'

/** A deactivated user can't sign in, and everything that acts for them ends. Meetings say who started them. */
const STATEMENTS = [
  `alter table app_user add column deactivated_at timestamptz`,
  `alter table meeting add column started_by text`,
  `update meeting set started_by = coalesce(
      case when scheduled_viewer ->> 'kind' = 'user' then scheduled_viewer ->> 'userId' end,
      (select created_by from api_token t where t.id = meeting.token_id and t.kind = 'personal'))
    where ended_at is null`,
  // Active meetings are few, so this index stays small.
  `create index meeting_active_starter on meeting (started_by)
    where started_by is not null and ended_at is null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
