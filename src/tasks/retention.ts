import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { DAY_MS } from '../lib/time/durations.ts'

export type ExecutionRetention = { days: number; perTask: number }

const BATCH_SIZE = 1_000

/**
 * Deletes each task's oldest executions, beyond a number per task and beyond an age. The age does not apply to the
 * newest execution, which shows if the task runs, nor to the last completed one and all after it, because the next run
 * refers to it. Only the oldest are deleted, so that the remaining numbers have no gaps.
 */
export async function deleteExpiredExecutions(
  db: Db,
  now: Date,
  { days, perTask }: ExecutionRetention,
): Promise<void> {
  const createdBefore = new Date(now.getTime() - days * DAY_MS)
  const statements = [
    () => sql`
      delete from execution where id in (
        select execution.id from task
        join execution on execution.task_id = task.id
          and execution.number <= task.last_number - ${perTask}::int
        where execution.status <> 'running' limit ${BATCH_SIZE})`,
    () => sql`
      delete from execution where id in (
        select execution.id from task
        cross join lateral (
          select coalesce(max(number), task.last_number) as number from execution
          where task_id = task.id and status = 'completed') as retained
        join execution on execution.task_id = task.id and execution.number < retained.number
        where execution.created_at < ${createdBefore} and execution.status <> 'running' limit ${BATCH_SIZE})`,
  ]
  for (const statement of statements) {
    for (let deleted = BATCH_SIZE; deleted === BATCH_SIZE;) {
      const { numAffectedRows = 0n } = await statement().execute(db)
      deleted = Number(numAffectedRows)
    }
  }
}
