import { sql, type Kysely } from 'kysely'

/** What finds earlier meetings of a series or with the same people, and who was briefed before which meeting. */
const STATEMENTS = [
  `create table meeting_invitation (
    meeting_id text primary key references meeting on delete cascade,
    series text not null,
    starts_at timestamptz not null
  )`,
  `create index meeting_invitation_series on meeting_invitation (series, starts_at desc)`,
  `create table meeting_invitee (
    meeting_id text not null references meeting on delete cascade,
    address text not null,
    starts_at timestamptz not null,
    primary key (meeting_id, address)
  )`,
  `create index meeting_invitee_address on meeting_invitee (address, starts_at desc)`,
  `insert into meeting_invitation select distinct on (meeting_id) meeting_id, uid, starts_at
    from occurrence where meeting_id is not null order by meeting_id, id`,
  `insert into meeting_invitee select meeting_id, a.value ->> 'address', starts_at
    from occurrence, jsonb_array_elements(attendees) a
    where meeting_id is not null and a.value ->> 'response' is distinct from 'declined'
      and length(a.value ->> 'address') <= 320
    on conflict do nothing`,
  `insert into meeting_invitee select meeting_id, organizer, starts_at
    from occurrence where meeting_id is not null and organizer is not null and length(organizer) <= 320
    on conflict do nothing`,
  `create index participant_name on participant (name, joined_at desc)`,
  // Hashed, because a title can be longer than an index entry.
  `create index meeting_title on meeting (project, md5(lower(coalesce(title, label))), started_at desc)
    where ended_at is not null`,
  `create table brief_claim (
    reader text not null,
    key text not null,
    starts_at timestamptz not null,
    primary key (reader, key, starts_at)
  )`,
  `create index brief_claim_start on brief_claim (starts_at)`,
  `create index occurrence_start on occurrence (starts_at) where decision = 'join' or reason = 'same_room'`,
  `alter table mail add column upcoming_id text`,
  `alter table mail_choice alter column recaps set default 'all', add column brief_minutes int`,
  `create index mail_choice_brief on mail_choice (user_id) where brief_minutes is not null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
