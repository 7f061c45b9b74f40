import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A meeting whose end is not known counts for this long. */
const DEFAULT_LENGTH = '1 hour'
/** A bot that is scheduled later than this after the start attends another part of the meeting. */
const MAX_LATE = '5 minutes'

/** A bot that is about to leave does not count. */
const GONE_STATUSES = sql`('ended', 'error', 'stopping', 'leaving')`

export type OpenMeetingInRoom = {
  id: string
  /** Whether it should be over before the given time: nobody knows how long its bot stays. */
  isOverrun: boolean
}

export type RoomAndTime = {
  project: string
  room: string
  from: Date
  to: Date
  /** The id of a meeting that does not count. */
  except?: string
}

/** An open meeting of the project in this room whose bot attends the given time; null when there is none. */
export async function findOpenMeetingInRoom(
  db: Db,
  { project, room, from, to, except }: RoomAndTime,
): Promise<OpenMeetingInRoom | null> {
  const { rows } = await sql<OpenMeetingInRoom>`
    select id, "endsAt" <= ${from} as "isOverrun"
    from meeting,
      lateral (select coalesce(expected_end_at, started_at + ${DEFAULT_LENGTH}::interval) as "endsAt") as e
    where project = ${project} and room = ${room} and status not in ${GONE_STATUSES}
      and id is distinct from ${except ?? null}::text
      and case when status = 'scheduled'
        then started_at <= ${from}::timestamptz + ${MAX_LATE}::interval and "endsAt" > ${from}
        else started_at < ${to} end
    order by 2, id limit 1`.execute(db)
  return rows[0] ?? null
}

/** Whether the bot of a meeting is on its way or there. */
export async function isMeetingAttended(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from meeting where id = ${id} and status not in ${GONE_STATUSES}`.execute(db)
  return rows.length > 0
}
