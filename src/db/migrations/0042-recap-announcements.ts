import { sql, type Kysely } from 'kysely'

/** What events have said about action items and decisions, so that a new recap announces only what changed. */
const STATEMENTS = [
  `create table recap_announcement (
    meeting_id text not null references meeting on delete cascade,
    id text not null,
    kind text not null,
    text text not null,
    person text,
    due_date text,
    state text not null,
    segment_numbers int[] not null,
    primary key (meeting_id, id)
  )`,
  // Existing items are not new when their recap is made again.
  `insert into recap_announcement (meeting_id, id, kind, text, person, due_date, state, segment_numbers)
    select meeting_id, id, 'action', text, owner, due_date, state, segment_numbers
    from action_item where state <> 'deleted'`,
  `insert into recap_announcement (meeting_id, id, kind, text, person, due_date, state, segment_numbers)
    select r.meeting_id, 'item_' || d.number, 'decision', d.value->>'text', d.value->>'speaker', null, 'recorded',
      array(select jsonb_array_elements_text(d.value->'segmentNumbers')::int)
    from recap r, jsonb_array_elements(r.data->'decisions') with ordinality as d(value, number)
    where r.data is not null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
