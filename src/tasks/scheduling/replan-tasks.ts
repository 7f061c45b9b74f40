import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { TaskPlanner } from './task-planner.ts'

const BATCH_SIZE = 1_000

/** Recomputes the next run of tasks, after the clock was set back, if it is later than their schedule says. */
export async function replanTasksAfterClockSetBack(
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
      const { nextRunAt, dueAt } = planner.planAfter(row.name, schedule, now)
      if (nextRunAt === null || nextRunAt >= row.next_run_at) return []
      return [{ id: row.id, from: row.next_run_at, nextRunAt, dueAt }]
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
