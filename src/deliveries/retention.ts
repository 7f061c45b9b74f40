import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** So that no single statement holds many rows for long. */
const AT_ONCE = 5_000

/** Forgets events of meetings that were over long ago, and what became of them. Segments and counts stay. */
export async function forgetEvents(db: Db, now: Date, days: number): Promise<void> {
  const before = new Date(now.getTime() - days * DAY_MS)
  await inPortions(() =>
    sql`delete from delivery_attempt where ctid = any(array
      (select ctid from delivery_attempt where started_at < ${before} limit ${AT_ONCE}))`.execute(
      db,
    ),
  )
  await inPortions(() =>
    sql`delete from event where (meeting_id, sequence) in
      (select e.meeting_id, e.sequence from event e join meeting m on m.id = e.meeting_id
       where e.at < ${before} and m.ended_at < ${before} limit ${AT_ONCE})`.execute(db),
  )
  await sql`delete from dead_letter d where not exists
    (select from event e where e.meeting_id = d.meeting_id and e.sequence = d.sequence)`.execute(db)
  await sql`delete from lane where kind = 'replay' and due_at is null and created_at < ${before}`.execute(
    db,
  )
}

async function inPortions(remove: () => Promise<{ numAffectedRows?: bigint }>): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await remove()
    if (numAffectedRows < BigInt(AT_ONCE)) return
  }
}
