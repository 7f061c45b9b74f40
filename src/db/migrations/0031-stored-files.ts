import { sql, type Kysely } from 'kysely'

/** Documents and prompts in the database, for nodes without a shared disk, and where an instance keeps its files. */
const STATEMENTS = [
  // Numbers versions and contents. It begins with the current time, so that a recreated database never repeats a
  // version that a restored backup's index has.
  `create sequence stored_file_version`,
  `select setval('stored_file_version', (extract(epoch from clock_timestamp()) * 1000000)::bigint)`,
  `create table stored_file (
    path text collate "C" primary key,
    content_id bigint not null,
    size bigint not null,
    modified_at timestamptz not null default clock_timestamp(),
    version bigint not null default nextval('stored_file_version')
  )`,
  `alter sequence stored_file_version owned by stored_file.version`,
  // A file in pieces, so that an append writes one small row, and a large file is never in memory as a whole.
  `create table stored_file_chunk (
    content_id bigint not null,
    position bigint not null,
    bytes bytea not null,
    primary key (content_id, position)
  )`,
  `create table document_place (
    is_only_row boolean primary key default true check (is_only_row),
    place text not null check (place in ('folder', 'database')),
    folder_id text
  )`,
  `alter table node add column documents text`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
