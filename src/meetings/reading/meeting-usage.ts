import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { ACTIVE_STATUSES } from '../status.ts'

/** How much the meetings of the instance store. */
export type MeetingStorageUsage = { meetings: number; evidence: { count: number; bytes: number } }

export async function countMeetingsAndMeasureEvidence(db: Db): Promise<MeetingStorageUsage> {
  const { rows } = await sql<{ meetings: number; count: number; bytes: string }>`
    select (select count(*)::int from meeting) as meetings, count(*)::int as count,
      coalesce(sum(octet_length(screenshot)), 0) as bytes
    from evidence`.execute(db)
  const { meetings = 0, count = 0, bytes = '0' } = rows[0] ?? {}
  return { meetings, evidence: { count, bytes: Number(bytes) } }
}

/** How many meetings each node attends now; a node that attends none is missing. */
export async function countActiveMeetingsByNode(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('meeting')
    .select((eb) => ['owner', eb.fn.countAll<string>().as('count')])
    .where('status', 'in', ACTIVE_STATUSES)
    .where('owner', 'is not', null)
    .groupBy('owner')
    .execute()
  return new Map(rows.map(({ owner, count }) => [owner ?? '', Number(count)]))
}
