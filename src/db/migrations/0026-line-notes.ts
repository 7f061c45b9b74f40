import { sql, type Kysely } from 'kysely'

/** Comments and bookmarks on lines of transcripts. */
const STATEMENTS = [
  // The author is not a foreign key, because a removed user's comments stay, with the name that the author had.
  `create table line_comment (
    id text primary key,
    meeting_id text not null references meeting on delete cascade,
    segment_number int not null,
    author_id text,
    token_id text,
    author_name text not null,
    text text not null,
    created_at timestamptz not null,
    edited_at timestamptz
  )`,
  `create index line_comment_meeting on line_comment (meeting_id, segment_number, created_at)`,
  `create table line_bookmark (
    user_id text not null references app_user on delete cascade,
    meeting_id text not null references meeting on delete cascade,
    segment_number int not null,
    created_at timestamptz not null,
    primary key (user_id, meeting_id, segment_number)
  )`,
  `create index line_bookmark_meeting on line_bookmark (meeting_id)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
