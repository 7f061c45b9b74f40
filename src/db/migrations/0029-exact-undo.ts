import { sql, type Kysely } from 'kysely'

/** Data that an undo needs to restore exactly the earlier state. */
const STATEMENTS = [
  // The number of the edit that this one has undone.
  `alter table meeting_edit add column undoes integer`,
  // The recap before and after a speaker got another name.
  `create table recap_rename (
    meeting_id text not null references meeting on delete cascade,
    edit_number integer not null,
    content_before jsonb,
    content_after jsonb,
    items jsonb not null,
    primary key (meeting_id, edit_number)
  )`,
  // Admins read the audit log, but not content of private projects. The meeting's history has the names.
  `update audit set detail = null where action in ('meeting renamed', 'speaker renamed')`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
