import { sql, type Kysely } from 'kysely'

/** Marks segments that come from recognized speech, and segments that lack words. */
const STATEMENTS = [
  `alter table segment
    add column source text not null default 'captions',
    add column is_incomplete boolean not null default false`,
  `update segment set source = 'imported' from meeting
    where meeting.id = segment.meeting_id and meeting.platform = 'imported'`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
