import { sql, type Kysely } from 'kysely'

/** What people added to a recap, changed or deleted in it. */
const STATEMENTS = [
  `create table recap_item (
    meeting_id text not null references meeting on delete cascade,
    id text not null,
    kind text not null,
    number int,
    text text not null,
    speaker text,
    segment_numbers int[] not null,
    is_deleted boolean not null default false,
    source text not null,
    found_text text not null,
    found_speaker text,
    found_segment_numbers int[] not null,
    created_at timestamptz not null,
    edited_at timestamptz not null,
    primary key (meeting_id, id)
  )`,
  // Null until a person changes which segments an action item cites.
  `alter table action_item add column found_segment_numbers int[]`,
  // One line about a meeting now counts its decisions and action items, and is computed when it is read.
  `alter table recap drop column gist`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
