import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { deleteExpiredExecutions } from '../../src/tasks/retention.ts'
import type { ExecutionStatus } from '../../src/tasks/task.ts'
import { openTestDatabase } from '../support/database/test-database.ts'

const NOW = new Date('2026-11-15T12:00:00.000Z')
const DAY_MS = 86_400_000

type PastExecutions = Array<[daysAgo: number, status: ExecutionStatus]>

/** The numbers of the executions that remain for each task. A task's executions are given oldest first. */
async function remainingNumbers(tasks: PastExecutions[], perTask = 10): Promise<number[][]> {
  await using database = await openTestDatabase()
  const { db } = database
  const task = { prompt_name: 'p', timezone: 'UTC', enabled: true, timeout_ms: 1_000 }
  for (const [t, past] of tasks.entries()) {
    const id = `task_${t}`
    const times = { created_at: NOW, updated_at: NOW }
    await db
      .insertInto('task')
      .values({ ...task, ...times, id, name: id, last_number: past.length })
      .execute()
    const executions = past.map(([daysAgo, status], i) => {
      const at = new Date(NOW.getTime() - daysAgo * DAY_MS)
      const kind = { execution_type: 'on_demand', trigger_type: 'manual' } as const
      return {
        ...kind,
        id: `${id}_${i + 1}`,
        task_id: id,
        number: i + 1,
        status,
        created_at: at,
        started_at: at,
        missed: 0,
        is_catch_up: false,
      }
    })
    await db.insertInto('execution').values(executions).execute()
  }
  await deleteExpiredExecutions(db, NOW, { days: 14, perTask })
  const rows = await db
    .selectFrom('execution')
    .select(['task_id', 'number'])
    .orderBy('number')
    .execute()
  return tasks.map((_, t) =>
    rows.filter((row) => row.task_id === `task_${t}`).map(({ number }) => number),
  )
}

test('expired executions are deleted, except the newest and those since the last completed one', async () => {
  const remaining = await remainingNumbers([
    [
      [40, 'completed'],
      [30, 'completed'],
      [2, 'completed'],
    ],
    // A task that rarely runs.
    [
      [90, 'completed'],
      [60, 'completed'],
    ],
    [
      [90, 'failed'],
      [60, 'completed'],
      [30, 'failed'],
      [20, 'timeout'],
    ],
    [
      [90, 'failed'],
      [60, 'failed'],
    ],
  ])
  assert.deepEqual(remaining, [[3], [2], [2, 3, 4], [2]])
})

test('a task never retains more executions than the limit, whatever their status', async () => {
  const failures: PastExecutions = Array.from({ length: 12 }, () => [1, 'failed'])
  const past: PastExecutions = [[1, 'completed'], ...failures]
  assert.deepEqual(await remainingNumbers([past], 10), [[4, 5, 6, 7, 8, 9, 10, 11, 12, 13]])
})
