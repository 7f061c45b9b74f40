import { sql, type Kysely } from 'kysely'

/** Recaps of ended meetings, their action items, and events that are stored after a meeting has ended. */
const STATEMENTS = [
  `create table recap (
    meeting_id text primary key references meeting on delete cascade,
    step text not null,
    due_at timestamptz,
    owner text,
    fence int not null default 0,
    attempts int not null default 0,
    version int not null default 0,
    method text,
    model text,
    error text,
    data jsonb,
    dropped_statements int not null default 0,
    tokens bigint not null default 0,
    cost_usd double precision,
    created_at timestamptz not null,
    made_at timestamptz,
    document_state text not null default 'waiting',
    document_parts text[] not null default '{}'
  )`,
  `create index recap_due on recap (due_at) where due_at is not null`,
  `create table action_item (
    id text primary key,
    meeting_id text not null references meeting on delete cascade,
    number int not null,
    text text not null,
    owner text,
    due_text text,
    due_date text,
    segment_numbers int[] not null,
    state text not null default 'open',
    source text not null,
    found_text text not null,
    found_owner text,
    created_at timestamptz not null,
    edited_at timestamptz
  )`,
  `create index action_item_meeting on action_item (meeting_id, number)`,
  `create index action_item_newest on action_item (created_at desc, meeting_id desc, number, id)`,
  `alter table lane add column late_sequence int`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
