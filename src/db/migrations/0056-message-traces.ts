import { sql, type Kysely } from 'kysely'

/** Mail and messages to chats continue the trace of what they are about. */
const STATEMENTS = [
  `alter table mail add trace_parent text`,
  `alter table notification_message add trace_parent text`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
