import { sql, type Kysely } from 'kysely'

/** Meetings with an imported transcript. They can be of any age, and are treated as new when they are imported. */
const STATEMENTS = [
  `alter table meeting add column imported_at timestamptz`,
  `create index meeting_imported on meeting (imported_at) where imported_at is not null`,
  // Imports that were interrupted before their document was written. A maintenance job looks for them.
  `create index meeting_import_without_document on meeting (id) where platform = 'imported' and document_size = 0`,
  // No bot can attend imported meetings, so no node may ever find one active.
  `alter table meeting add constraint meeting_imported_is_over
    check (platform <> 'imported' or (status = 'ended' and ended_at is not null and imported_at is not null))`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
