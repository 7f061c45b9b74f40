import { sql, type Kysely } from 'kysely'

/** Recaps by mail for people without an account, who read the meeting by a share link. */
const STATEMENTS = [
  `alter table recap_template add column guest_mail_by text`,
  `alter table recap_template add column guest_mail_user_id text`,
  `alter table recap_template add column guest_link_days int not null default 14`,
  `alter table share_link add column recipient text`,
  `create table mail_opt_out (
    address_hash bytea primary key,
    created_at timestamptz not null
  )`,
  // Finds the official transcript of a meeting, whose recap is mailed although it was imported.
  `create index connection_transcript_meeting on connection_transcript (meeting_id)
    where meeting_id is not null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
