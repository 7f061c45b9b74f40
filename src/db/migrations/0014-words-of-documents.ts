import { sql, type Kysely } from 'kysely'

/**
 * The words of whole documents and meetings, so that a search finds words in different passages. Nothing is filled in
 * here. The document index reads all files again, and segments of ended meetings are indexed again in the background,
 * meeting by meeting.
 */
const STATEMENTS = [
  `create table document_words (
    document_id bigint primary key references document on delete cascade,
    words tsvector not null
  )`,
  `create index document_words_words on document_words using gin (words)`,
  `create table meeting_words (
    meeting_id text primary key references meeting on delete cascade,
    title tsvector not null,
    words tsvector not null
  )`,
  `create index meeting_words_words on meeting_words using gin (words)`,
  `alter table meeting add column words_version integer not null default 0`,
  `create index meeting_words_version on meeting (words_version, started_at desc)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
