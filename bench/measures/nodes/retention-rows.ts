import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'
import { MEETING_OPTIONS } from '../../../test/support/meetings/seed-meeting.ts'

export const EVENTS_PER_MEETING = 500
/** Rows of the other tables for each event. */
const SEGMENTS_PER_EVENT = 0.2
const CHUNK = 500_000
/** The rows are spread over this many days. The rows of the first days have expired. */
export const DAYS = 40
export const KEPT_DAYS = 30
/** Meetings that have not ended. The traffic writes into them. */
export const LIVE_MEETINGS = 200

/** Secondary indexes are built after the rows, which takes only a fraction of the time. */
const INDEXES = {
  event_order: 'create index event_order on event (written_by, meeting_id, sequence)',
  event_age: 'create index event_age on event (at)',
  attempt_of_meeting:
    'create index attempt_of_meeting on delivery_attempt (meeting_id, started_at, id)',
}

/** Inserts `events` events and as many attempts. The newest row is from now, the oldest from 40 days ago. */
export async function insertRetentionRows(db: Db, events: number): Promise<void> {
  const meetings = Math.ceil(events / EVENTS_PER_MEETING)
  const options = JSON.stringify(MEETING_OPTIONS)
  const ageOf = (row: string) => sql.raw(`now() - interval '${DAYS} days' * (1 - (${row})::float8)`)
  await sql`insert into meeting (id, platform, url, room, label, project, callback_url, options,
      status, started_at, live_at, ended_at, last_sequence, reserved_sequence, fence)
    select 'old-' || lpad(g::text, 9, '0'), 'practice', 'practice://standup', 'r', 'l', 'api', 'http://x/',
      ${options}::jsonb, 'ended', at, at, at, ${EVENTS_PER_MEETING}, ${EVENTS_PER_MEETING}, 1
    from generate_series(0, ${meetings - 1}::int) g, lateral (select ${ageOf(`g / ${meetings}.0`)} as at) t`.execute(
    db,
  )
  await sql`insert into meeting (id, platform, url, room, label, project, callback_url, options,
      status, started_at, live_at, fence)
    select 'live-' || g, 'practice', 'practice://standup', 'r', 'l', 'api', 'http://x/', ${options}::jsonb,
      'live', now(), now(), 1 from generate_series(0, ${LIVE_MEETINGS - 1}::int) g`.execute(db)
  await sql`insert into lane (id, meeting_id, kind, url, created_at)
    select 'lane-' || id, id, 'meeting', 'http://x/', now() from meeting where status = 'live'`.execute(
    db,
  )
  for (const name of Object.keys(INDEXES)) await sql.raw(`drop index ${name}`).execute(db)
  for (let from = 0; from < events; from += CHUNK)
    await insertChunk(db, from, Math.min(events, from + CHUNK) - 1, events)
  for (const statement of Object.values(INDEXES)) await sql.raw(statement).execute(db)
  await sql`vacuum (analyze) event, delivery_attempt, segment, meeting`.execute(db)
}

/** The foreign keys are correct by construction, so the rows are not checked. */
async function insertChunk(db: Db, from: number, to: number, events: number): Promise<void> {
  const columns = sql.raw(
    `'old-' || lpad((g / ${EVENTS_PER_MEETING})::text, 9, '0') as meeting_id,
     g % ${EVENTS_PER_MEETING} + 1 as sequence,
     now() - interval '${DAYS} days' * (1 - g / ${events}.0) as at`,
  )
  const rows = sql`(select g, ${columns} from generate_series(${from}::int, ${to}::int) g) r`
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`insert into event (meeting_id, sequence, type, at, body, written_by)
      select meeting_id, sequence, 'segment_finalized', at,
        '{"text":"' || repeat(md5(g::text), 12) || '"}', (g / 4 + 1)::text::xid8 from ${rows}`.execute(
      tx,
    )
    await sql`insert into delivery_attempt (id, lane_id, meeting_id, sequence, type, started_at,
        duration_ms, outcome, status, answer)
      select 'att_' || md5(g::text), 'lane', meeting_id, sequence, 'segment_finalized', at, 12,
        'delivered', 204, '' from ${rows}`.execute(tx)
    await sql`insert into segment (meeting_id, number, caption_id, speaker, text, started_at, words)
      select meeting_id, sequence, 'c' || g, 'Ana', repeat(md5((g % 5000)::text) || ' ', 3), at,
        to_tsvector('simple', 'w' || g % 5000 || ' w' || g % 77 || ' w' || g % 991)
      from ${rows} where sequence <= ${EVENTS_PER_MEETING * SEGMENTS_PER_EVENT}`.execute(tx)
  })
}
