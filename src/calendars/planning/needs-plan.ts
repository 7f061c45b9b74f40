import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { selectCalendars } from '../store/calendar-store.ts'
import { findCalendarObstacle } from '../store/calendar-viewer.ts'
import { KEPT_AFTER_END_MS } from './occurrence-store.ts'
import { ATTEND_LEAD_MS } from './planned-window.ts'
import { OBSTACLE_REASONS } from './reasons.ts'

/**
 * Whether a calendar whose events did not change must be planned again: what prevented its meetings is gone, something
 * else prevents them now, one in a shared room may need the bot of another one, or some are over.
 */
export async function needsPlan(db: Db, calendarId: string, now: Date): Promise<boolean> {
  const calendar = await selectCalendars(db).where('id', '=', calendarId).executeTakeFirst()
  if (calendar === undefined) return false
  const obstacle = await findCalendarObstacle(db, calendar, now)
  const otherReasons = OBSTACLE_REASONS.filter((reason) => reason !== obstacle)
  const soon = new Date(now.getTime() + ATTEND_LEAD_MS)
  const expired = new Date(now.getTime() - KEPT_AFTER_END_MS)
  const { rows } = await sql<{ isNeeded: boolean }>`
    select exists (
      select from occurrence where calendar_id = ${calendarId} and ends_at > ${now}
        and (reason = any(${otherReasons}::text[])
          or ${obstacle !== null} and (decision = 'join' or reason = 'same_room')
          or reason = 'same_room' and starts_at <= ${soon} and attended_start is distinct from starts_at)
    ) or exists (
      select from occurrence where calendar_id = ${calendarId} and ends_at <= ${now}
        and (decision = 'join' or ends_at < ${expired})
    ) as "isNeeded"`.execute(db)
  return rows[0]?.isNeeded === true
}
