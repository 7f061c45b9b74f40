import { pino } from 'pino'
import { newId } from '../../src/lib/random.ts'
import { createPlanner, type PlanRules } from '../../src/tasks/plan.ts'
import type { Queue } from '../../src/tasks/queue.ts'
import { createScheduler } from '../../src/tasks/scheduler.ts'
import { findTask, insertTask } from '../../src/tasks/task-store.ts'
import type { ExecutionStatus, Task } from '../../src/tasks/task.ts'
import { manualClock } from './clock.ts'
import { openTestDatabase } from './database.ts'

export type Fired = { scheduledFor: string; missed: number; status: ExecutionStatus }

/** A scheduler on a real database whose time the test sets, and which looks only when told. */
export async function openScheduleWorld(start: string, rules: Partial<PlanRules> = {}) {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await openTestDatabase())
  const { db } = database
  const log = pino({ level: 'silent' })
  // Nobody takes them: what is looked at here is what becomes due.
  const queue: Queue = {
    add: async () => undefined,
    take: async () => [],
    addMissing: async () => [],
  }
  const planner = createPlanner({ spreadSeconds: 0, minIntervalMinutes: 1, ...rules })
  const clock = manualClock(start)
  const world = { steadyMs: 0, catchesUp: true, isOverBudget: false }
  const skips: string[] = []
  const makeScheduler = () =>
    createScheduler({
      db,
      log,
      queue,
      planner,
      time: async () => clock.now(),
      steady: () => world.steadyMs,
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
      const schedule = planner.check(cronExpression, timezone)
      if (Array.isArray(schedule)) throw new Error(JSON.stringify(schedule))
      const id = newId('task')
      const task = { id, name, promptName: 'p', cronExpression, timezone }
      const plan = planner.planAfter(name, schedule, clock.now())
      await db
        .transaction()
        .execute((tx) =>
          insertTask(tx, { ...task, enabled: true, timeoutMs: 1_000 }, plan, clock.now()),
        )
    },
    async task(name: string): Promise<Task> {
      const task = await findTask(db, name)
      if (task === null) throw new Error(`no task ${name}`)
      return task
    },
    /** In the order of their numbers. */
    async fired(name: string): Promise<Fired[]> {
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
    /** Everything that runs comes to an end. */
    async endAll(): Promise<void> {
      await db.updateTable('execution').set({ status: 'completed' }).execute()
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
