import { sql, type Kysely } from 'kysely'

/** The messages of the meeting chat, for meetings that store it. */
const STATEMENTS = [
  `create table chat_message (
    meeting_id text not null references meeting on delete cascade,
    number int not null,
    message_id text not null,
    author text not null,
    text text not null,
    at timestamptz not null,
    primary key (meeting_id, number)
  )`,
  `create unique index chat_message_id on chat_message (meeting_id, message_id)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
