import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { TaskPlanner } from './task-planner.ts'
import { HOUR_MS } from '../../lib/time/durations.ts'

const BATCH_SIZE = 1_000

/**
 * A next run that moves to a later time by no more than this was computed with other rules of its time zone. If it would
 * move further, the right time has passed meanwhile: the stored run stays, so that it is late once and not lost.
 */
const MAX_ZONE_CHANGE_MS = 3 * HOUR_MS

/**
 * Corrects the next runs that differ from what the schedules say now. They do after the clock was set back, and when an
 * update of Hansard or of its time zone data has changed the rules of a zone.
 */
export async function correctFutureRunTimes(
  db: Db,
  planner: TaskPlanner,
  now: Date,
): Promise<number> {
  let count = 0
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('task')
      .select(['id', 'name', 'cron_expression', 'timezone', 'next_run_at'])
      .where('next_run_at', '>', now)
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return count
    after = last.id
    const changes = rows.flatMap((row) => {
      const schedule = planner.checkSchedule(row.cron_expression ?? '', row.timezone)
      if (Array.isArray(schedule) || row.next_run_at === null) return []
      const { nextRunAt, schedulerActsAt } = planner.planAfter(row.name, schedule, now)
      if (nextRunAt === null) return []
      const delayMs = nextRunAt.getTime() - row.next_run_at.getTime()
      if (delayMs === 0 || delayMs > MAX_ZONE_CHANGE_MS) return []
      return [{ id: row.id, from: row.next_run_at, nextRunAt, dueAt: schedulerActsAt }]
    })
    count += changes.length
    if (changes.length > 0) {
      await sql`
        update task set next_run_at = change.next_run_at, due_at = change.due_at
        from unnest(
          ${changes.map(({ id }) => id)}::text[],
          ${changes.map(({ from }) => from)}::timestamptz[],
          ${changes.map(({ nextRunAt }) => nextRunAt)}::timestamptz[],
          ${changes.map(({ dueAt }) => dueAt)}::timestamptz[]
        ) as change (id, old, next_run_at, due_at)
        where task.id = change.id and task.next_run_at = change.old
      `.execute(db)
    }
  }
}
