import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A meeting whose end is not known counts for this long. */
const DEFAULT_LENGTH = '1 hour'

/** A bot that is about to leave does not count. */
const GONE_STATUSES = sql`('ended', 'error', 'stopping', 'leaving')`

/** An open meeting of the project in this room that overlaps the given time; null when there is none. */
export async function findOpenMeetingInRoom(
  db: Db,
  { project, room, from, to }: { project: string; room: string; from: Date; to: Date },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from meeting
    where project = ${project} and room = ${room} and status not in ${GONE_STATUSES}
      and started_at < ${to}
      and coalesce(expected_end_at, started_at + ${DEFAULT_LENGTH}::interval) > ${from}
    limit 1`.execute(db)
  return rows[0]?.id ?? null
}
