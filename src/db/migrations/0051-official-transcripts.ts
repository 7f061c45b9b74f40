import { sql, type Kysely } from 'kysely'

/** Official transcripts of meetings that a bot attended, and what projects want done with them. */
const STATEMENTS = [
  // A line that is not part of the transcript now. Its number stays its own.
  `create table set_aside_segment (
    meeting_id text not null references meeting on delete cascade,
    number integer not null,
    caption_id text not null,
    speaker text not null,
    platform_speaker text,
    text text not null,
    started_at timestamptz not null,
    words tsvector,
    source text not null,
    is_incomplete boolean not null default false,
    nearest integer,
    primary key (meeting_id, number)
  )`,
  `create index set_aside_segment_nearest on set_aside_segment (meeting_id, nearest)`,
  `create table official_transcript (
    meeting_id text primary key references meeting on delete cascade,
    choice text not null,
    parts jsonb not null,
    attended_from timestamptz not null,
    attended_until timestamptz not null
  )`,
  `create table official_choice (
    project text primary key,
    mode text not null
  )`,
  `alter table transcript_gap add column is_filled boolean not null default false`,
  `alter table meeting_edit drop constraint meeting_edit_kind_check,
    add constraint meeting_edit_kind_check check (kind in ('title', 'speaker', 'start', 'lines'))`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
