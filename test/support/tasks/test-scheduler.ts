import { pino } from 'pino'
import { newId } from '../../../src/lib/crypto.ts'
import { createScheduler } from '../../../src/tasks/scheduling/scheduler.ts'
import {
  createTaskPlanner,
  type SchedulingPolicy,
} from '../../../src/tasks/scheduling/task-planner.ts'
import { findTask, insertTaskUnlessNameTaken } from '../../../src/tasks/task-store.ts'
import type { ExecutionStatus, Task } from '../../../src/tasks/task.ts'
import { openTestDatabase } from '../database/test-database.ts'
import { createManualClock } from '../time/manual-clock.ts'

export type ScheduledExecution = { scheduledFor: string; missed: number; status: ExecutionStatus }

/** A scheduler on a real database, without a runner. The test sets its time and starts each of its checks. */
export async function openTestScheduler(start: string, rules: Partial<SchedulingPolicy> = {}) {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await openTestDatabase())
  const { db } = database
  const log = pino({ level: 'silent' })
  const planner = createTaskPlanner({ spreadSeconds: 0, minIntervalMinutes: 1, ...rules })
  const clock = createManualClock(start)
  const world = { steadyMs: 0, catchesUp: true, isOverBudget: false }
  const skips: string[] = []
  const makeScheduler = () =>
    createScheduler({
      db,
      log,
      planner,
      clock,
      monotonicMs: () => world.steadyMs,
      catchesUp: async () => world.catchesUp,
      overBudget: async (names) => new Set(world.isOverBudget ? names : []),
      onFired: () => undefined,
      onSkipped: (reason) => void skips.push(reason),
    })
  const opened = stack.move()
  return {
    db,
    clock,
    skips,
    world,
    scheduler: makeScheduler(),
    makeScheduler,
    async add(name: string, cronExpression: string, timezone = 'UTC'): Promise<void> {
      const schedule = planner.checkSchedule(cronExpression, timezone)
      if (Array.isArray(schedule)) throw new Error(JSON.stringify(schedule))
      const id = newId('task')
      const task = { id, name, promptName: 'p', cronExpression, trigger: null, timezone }
      const plan = planner.planAfter(name, schedule, clock.now())
      await db.transaction().execute((tx) =>
        insertTaskUnlessNameTaken(
          tx,
          {
            ...task,
            enabled: true,
            timeoutMs: 1_000,
            ownerId: null,
            project: null,
            projects: null,
          },
          plan,
          clock.now(),
        ),
      )
    },
    async task(name: string): Promise<Task> {
      const task = await findTask(db, name)
      if (task === null) throw new Error(`no task ${name}`)
      return task
    },
    /** Ordered by number. */
    async fired(name: string): Promise<ScheduledExecution[]> {
      const rows = await db
        .selectFrom('execution')
        .innerJoin('task', 'task.id', 'execution.task_id')
        .select(['scheduled_for', 'execution.missed', 'status'])
        .where('name', '=', name)
        .orderBy('number')
        .execute()
      return rows.map(({ scheduled_for, missed, status }) => ({
        scheduledFor: scheduled_for?.toISOString() ?? '',
        missed,
        status,
      }))
    },
    async endAll(): Promise<void> {
      await db.updateTable('execution').set({ status: 'completed' }).execute()
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
