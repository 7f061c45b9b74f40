import { sql, type Kysely } from 'kysely'

/** Tasks that start when a meeting ends or a document is saved. */
const STATEMENTS = [
  `alter table task add column trigger jsonb`,
  `create index task_with_trigger on task (id) where trigger is not null`,
  `alter table execution add column trigger_key text, add column triggered_by jsonb`,
  // Guarantees one execution of a task for each meeting or saved version of a document.
  `create unique index execution_trigger on execution (task_id, trigger_key) where trigger_key is not null`,
  // True for all meetings that have already ended. A constant default does not rewrite the table.
  `alter table meeting add column tasks_started boolean not null default true`,
  `alter table meeting alter column tasks_started set default false`,
  `update meeting set tasks_started = false where ended_at is null`,
  `create index meeting_awaiting_tasks on meeting (ended_at) where ended_at is not null and not tasks_started`,
  `create table document_save (
    project text not null,
    path text not null,
    save_id text not null,
    etag text not null,
    saved_at timestamptz not null,
    tasks_started boolean not null default false,
    primary key (project, path)
  )`,
  `create index document_save_awaiting_tasks on document_save (saved_at) where not tasks_started`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
