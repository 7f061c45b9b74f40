import { sql, type Kysely } from 'kysely'

const STATEMENTS = [
  // True if a part of the token counts is an estimate, because the provider reported none.
  `alter table execution add column tokens_estimated boolean not null default false`,
  // Why the model's answer is incomplete. Null if it is complete.
  `alter table execution add column truncated_by text`,
  // How many of the executions have estimated token counts.
  `alter table model_usage add column estimated integer not null default 0`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
