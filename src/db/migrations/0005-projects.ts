import { sql, type Kysely } from 'kysely'

// Ids and paths are compared byte by byte. This order is the same on every server, and the same as in the file walk.
const STATEMENTS = [
  `create table project (
    id text collate "C" primary key
  )`,
  `create table document (
    id bigint generated always as identity primary key,
    project text collate "C" not null references project on delete cascade,
    path text collate "C" not null,
    folder text collate "C" not null,
    kind text not null,
    title text,
    date timestamptz not null,
    meeting_id text,
    status text,
    participants text[] not null,
    size bigint not null,
    modified_at timestamptz not null,
    stamp text not null,
    warning text,
    unique (project, path)
  )`,
  `create index document_in_folder on document (project, folder, path)`,
  `create index document_of_meeting on document (project, date desc, path) where kind = 'meeting'`,
  `create table passage (
    document_id bigint not null references document on delete cascade,
    number integer not null,
    project text collate "C" not null,
    at timestamptz not null,
    line integer not null,
    text text not null,
    words tsvector not null,
    primary key (document_id, number)
  )`,
  `create index passage_words on passage using gin (words)`,
  `create index passage_newest on passage (at desc)`,
  `create index passage_of_project on passage (project, at desc)`,
  // Segments from before search existed get words from PostgreSQL's parser, which is close enough to Hansard's.
  `alter table segment add column words tsvector`,
  `update segment set words = to_tsvector('simple', text) || setweight(to_tsvector('simple', speaker), 'B')`,
  // Live meetings write to this index. With a short pending list, the pauses to merge it into the index are short.
  `create index segment_words on segment using gin (words) with (gin_pending_list_limit = 512)`,
  `create index segment_newest on segment (started_at desc)`,
  `create table word (
    word text collate "C" primary key,
    grams text[] not null,
    checked_at timestamptz not null default now()
  )`,
  `create index word_grams on word using gin (grams)`,
  `create index word_checked on word (checked_at)`,
  `create index meeting_ended on meeting (ended_at) where ended_at is not null`,
  `create table removal (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    meeting_id text not null,
    removed_by text not null,
    counts jsonb not null
  )`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
