import { sql, type Kysely } from 'kysely'

/** Connections to Google Workspace, which have neither a cloud nor a tenant, and may read calendars for titles. */
const STATEMENTS = [
  `alter table connection alter column cloud drop not null`,
  `alter table connection alter column tenant drop not null`,
  `alter table connection add column reads_calendar boolean not null default false`,
  `alter table connection_transcript add column revision text`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
