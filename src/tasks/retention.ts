import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export type ExecutionRetention = { days: number; perTask: number }

const BATCH_SIZE = 1_000
const DAY_MS = 86_400_000

/**
 * Forgets the oldest executions of each task: those beyond a number, and those beyond an age. Whatever their age,
 * the newest stays, by which people see whether a task runs, and so do those from the last completed one on: the
 * next run goes on from there. Nothing is taken from between, since numbers have no gaps.
 */
export async function deleteExpiredExecutions(
  db: Db,
  now: Date,
  { days, perTask }: ExecutionRetention,
): Promise<void> {
  const before = new Date(now.getTime() - days * DAY_MS)
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
          where task_id = task.id and status = 'completed') as kept
        join execution on execution.task_id = task.id and execution.number < kept.number
        where execution.created_at < ${before} and execution.status <> 'running' limit ${BATCH_SIZE})`,
  ]
  for (const statement of statements) {
    for (let left = BATCH_SIZE; left === BATCH_SIZE;) {
      const { numAffectedRows = 0n } = await statement().execute(db)
      left = Number(numAffectedRows)
    }
  }
}
