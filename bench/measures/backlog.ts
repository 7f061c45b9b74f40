import { sql } from 'kysely'
import { openInstanceDatabase, openInstance } from '../support/instance.ts'
import { memoryInUse } from '../support/memory.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'

const MEETINGS = 200
const EVENTS_PER_MEETING = 500

/** A receiver returns after a day: how fast do the pending events arrive, and how much memory does that take? */
export async function measureBacklog(): Promise<void> {
  await using receiver = await startReceiverProcess()
  await using instance = await openInstance()
  await using database = await openInstanceDatabase(instance.data)
  const { db } = database
  const total = MEETINGS * EVENTS_PER_MEETING
  await sql`
    insert into meeting (id, platform, url, room, label, project, callback_url, options, status,
      started_at, ended_at, last_sequence)
    select 'meeting_' || i, 'practice', 'practice://x', 'x', 'x', 'api', ${receiver.url}, '{}', 'ended',
      now(), now(), ${EVENTS_PER_MEETING}
    from generate_series(1, ${MEETINGS}) i`.execute(db)
  await sql`
    insert into event (meeting_id, sequence, type, at, body)
    select 'meeting_' || i, s, 'segment_finalized', now(), jsonb_build_object('type', 'segment_finalized',
      'meetingId', 'meeting_' || i, 'sequence', s, 'timestamp', '2026-01-01T00:00:00.000Z', 'payload',
      jsonb_build_object('speaker', 'Ana', 'text', repeat('As long as people speak. ', 4)))::text
    from generate_series(1, ${MEETINGS}) i, generate_series(1, ${EVENTS_PER_MEETING}) s`.execute(db)
  const { rss: before } = memoryInUse()
  const began = performance.now()
  await sql`
    insert into lane (id, meeting_id, kind, url, token_id, due_at, created_at)
    select 'lane_' || i, 'meeting_' || i, 'meeting', ${`${receiver.url}/count`}, (select id from api_token), now(), now()
    from generate_series(1, ${MEETINGS}) i`.execute(db)
  let most = before
  while ((await receiver.count()) < total) {
    most = Math.max(most, process.memoryUsage().rss)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const seconds = (performance.now() - began) / 1000
  console.log(`  a backlog of ${total} events in ${MEETINGS} meetings`)
  console.log(
    `  drained          in ${seconds.toFixed(1)} s, ${(total / seconds).toFixed(0)} events/s`,
  )
  console.log(
    `  memory           ${((most - before) / 1024 ** 2).toFixed(0)} MB more than before at most`,
  )
}
