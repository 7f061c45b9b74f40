import { sql, type Kysely } from 'kysely'

/** Streams of Zoom meetings that a webhook announced, so that any node can read them, and who installed the Zoom app. */
const STATEMENTS = [
  `create table zoom_stream (
    stream_id text primary key,
    meeting_uuid text not null,
    meeting_number text,
    server_url text,
    event_at bigint not null,
    has_stopped boolean not null,
    stop_reason int,
    reserved_by text,
    reserved_at timestamptz,
    changed_at timestamptz not null
  )`,
  `create index zoom_stream_by_number on zoom_stream (meeting_number)`,
  `create index zoom_stream_by_holder on zoom_stream (reserved_by)`,
  `create table zoom_account (
    account_id text primary key,
    event_at bigint not null,
    is_installed boolean not null
  )`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
