import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { liveNodeIds } from '../db/nodes/node-membership.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** So that no single statement holds many rows for long. */
const BATCH_SIZE = 5_000

/**
 * Forgets events of meetings that were over long ago, and what became of them. Segments and counts stay, and so
 * does what a lane has still to deliver.
 */
export async function deleteExpiredEvents(db: Db, now: Date, days: number): Promise<void> {
  const before = new Date(now.getTime() - days * DAY_MS)
  await deleteInBatches(() =>
    sql`delete from delivery_attempt where ctid = any(array
      (select ctid from delivery_attempt where started_at < ${before} limit ${BATCH_SIZE}))`.execute(
      db,
    ),
  )
  await giveUpListenerLanes(db, before)
  await deleteInBatches(() =>
    sql`delete from event where (meeting_id, sequence) in
      (select e.meeting_id, e.sequence from event e join meeting m on m.id = e.meeting_id
       where e.at < ${before} and m.ended_at < ${before} and not exists
         (select from lane l where l.meeting_id = e.meeting_id and l.state = 'open' and l.due_at is not null
          and e.sequence > l.delivered_through and (l.ends_at is null or e.sequence <= l.ends_at))
       limit ${BATCH_SIZE})`.execute(db),
  )
  await sql`delete from dead_letter d where not exists
    (select from event e where e.meeting_id = d.meeting_id and e.sequence = d.sequence)`.execute(db)
  await sql`delete from lane where kind = 'replay' and due_at is null and created_at < ${before}`.execute(
    db,
  )
}

/** Other lanes come to an end by themselves; one to a listener would wait for ever for somebody to listen. */
async function giveUpListenerLanes(db: Db, before: Date): Promise<void> {
  await sql`with unheard as (
    select l.id, count(e.sequence)::int as events,
      coalesce(max(e.sequence), l.delivered_through) as through
    from lane l join meeting m on m.id = l.meeting_id
    left join event e on e.meeting_id = l.meeting_id and e.sequence > l.delivered_through
      and (l.ends_at is null or e.sequence <= l.ends_at)
      and (l.events is null or e.type = any(l.events))
    where l.url like 'listen:%' and l.state = 'open' and l.due_at is not null
      and l.created_at < ${before} and m.ended_at < ${before}
      and (l.owner is null or l.owner not in ${liveNodeIds})
    group by l.id
  )
  update lane set delivered_through = through, previous_sequence = through,
    dead_count = dead_count + unheard.events, due_at = null, owner = null, fence = fence + 1
  from unheard where lane.id = unheard.id`.execute(db)
}

async function deleteInBatches(remove: () => Promise<{ numAffectedRows?: bigint }>): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await remove()
    if (numAffectedRows < BigInt(BATCH_SIZE)) return
  }
}
