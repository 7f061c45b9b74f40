import type { AreaContext } from '../../db/context.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { createWakeableLoop } from '../../lib/async/wake-up.ts'
import { HOUR_MS } from '../../lib/time/durations.ts'
import type { SkipReason } from '../task.ts'
import {
  startNextCatchUp,
  findDueTasks,
  claimDueTasks,
  findNextDueTime,
  type DueTask,
  type DueTaskAssessment,
} from './claim-due-tasks.ts'
import {
  classifyDueTime,
  type DueStatus,
  NO_SCHEDULED_RUN_PLAN,
  type TaskPlanner,
} from './task-planner.ts'

type Parts = AreaContext & {
  planner: TaskPlanner
  /** A monotonic clock in milliseconds. */
  monotonicMs?: () => number
  /** True if missed due times are caught up on, as the prompt or else the instance says. */
  catchesUp(promptName: string): Promise<boolean>
  /** Returns the prompts that may not run now because the budget is used up. */
  overBudget(promptNames: readonly string[]): Promise<ReadonlySet<string>>
  /** Called with new executions, which are queued. */
  onFired(executionIds: readonly string[]): void
  onSkipped(reason: SkipReason): void
}

const BATCH_SIZE = 200
/** The longest pause between two checks, because the clock may change or the machine may be suspended. */
const MAX_SLEEP_MS = 30_000
const RETRY_AFTER_ERROR_MS = 1_000
/** Pause between two catch-up executions, so that many do not start together after a long outage. */
const CATCH_UP_SPACING_MS = 5_000
/** If the clock is set back by more than this, the stored next runs are too far ahead and are computed again. */
const CLOCK_BACK_TOLERANCE_MS = 60_000

const CORRECTION_BATCH_SIZE = 1_000

/**
 * If a next run moves to a later time by at most this, the rules of its time zone have changed. If it would move
 * further, the right time has already passed: the stored run stays, so that it is late once instead of lost.
 */
const MAX_ZONE_CHANGE_MS = 3 * HOUR_MS

/** Starts an execution for every due time, exactly once, even with several nodes and wrong clocks. */
export function createScheduler(parts: Parts) {
  const { db, log, planner, clock, monotonicMs = () => performance.now() } = parts
  const closing = new AbortController()
  let lastCatchUpAt = -Infinity
  let lastReading: ClockReading | null = null

  const reportSkip = ({ name, reason }: { name: string; reason: SkipReason }) => {
    log.info({ taskName: name, reason }, 'skipped due time')
    parts.onSkipped(reason)
  }
  const decide = async (tasks: DueTask[], now: Date): Promise<DueTaskAssessment[]> => {
    const overBudget = await parts.overBudget(tasks.map(({ promptName }) => promptName))
    return Promise.all(
      tasks.map(async (task) => {
        const isOverBudget = overBudget.has(task.promptName)
        const schedule = planner.checkSchedule(task.cronExpression, task.timezone)
        // The service's settings no longer allow this schedule. The task stays, but has no next due time.
        if (Array.isArray(schedule)) {
          log.warn({ taskName: task.name, problems: schedule }, 'schedule is no longer allowed')
          const dueStatus: DueStatus = { state: 'late', latest: null, missed: 0 }
          return { task, dueStatus, plan: NO_SCHEDULED_RUN_PLAN, isOverBudget }
        }
        const dueStatus = classifyDueTime(schedule, task.nextRunAt, withoutSpread(task, now))
        const isNotCaughtUp =
          dueStatus.state === 'late' &&
          dueStatus.latest !== null &&
          !(await parts.catchesUp(task.promptName))
        const plan = planner.planAfterDue(task.name, schedule, task.nextRunAt, now)
        return {
          task,
          dueStatus: isNotCaughtUp ? { ...dueStatus, latest: null } : dueStatus,
          plan,
          isOverBudget,
        }
      }),
    )
  }
  const startDueTasks = async (now: Date) => {
    while (!closing.signal.aborted) {
      const tasks = await findDueTasks(db, now, BATCH_SIZE)
      if (tasks.length === 0) return
      const result = await claimDueTasks(db, await decide(tasks, now), now)
      for (const skip of result.skips) reportSkip(skip)
      if (result.executionIds.length > 0) parts.onFired(result.executionIds)
      if (tasks.length < BATCH_SIZE) return
    }
  }
  /** Starts one catch-up execution if one is pending. Resolves with the milliseconds until the next one may start. */
  const startCatchUp = async (now: Date): Promise<number> => {
    const sinceLast = monotonicMs() - lastCatchUpAt
    if (sinceLast < CATCH_UP_SPACING_MS) return CATCH_UP_SPACING_MS - sinceLast
    const promptName = await findNextCatchUpPrompt(db)
    if (promptName === null) return Infinity
    const overBudget = await parts.overBudget([promptName])
    const done = await startNextCatchUp(db, {
      now,
      isOverBudget: overBudget.has(promptName),
    })
    if (done === null) return CATCH_UP_SPACING_MS
    if (done.skip !== null) reportSkip({ name: done.name, reason: done.skip })
    if (done.executionId === null) return 0
    lastCatchUpAt = monotonicMs()
    parts.onFired([done.executionId])
    return CATCH_UP_SPACING_MS
  }
  const runOnce = async (): Promise<number> => {
    const now = clock.now()
    const reading = { wall: now.getTime(), monotonic: monotonicMs() }
    if (lastReading === null) {
      const count = await correctFutureRunTimes(db, planner, now)
      if (count > 0) log.info({ tasks: count }, 'corrected next runs that time zone rules changed')
    } else if (isClockSetBack(lastReading, reading)) {
      const count = await correctFutureRunTimes(db, planner, now)
      log.warn({ tasks: count }, 'clock was set back, recomputed next runs')
    }
    lastReading = reading
    await startDueTasks(now)
    const untilCatchUp = await startCatchUp(now)
    const next = await findNextDueTime(db)
    const untilNext = next === null ? Infinity : next.getTime() - clock.now().getTime()
    return Math.max(0, Math.min(untilCatchUp, untilNext))
  }
  const loop = createWakeableLoop({
    closing,
    round: async () => Math.min(await runOnce(), MAX_SLEEP_MS),
    onError(error) {
      log.error({ err: error }, 'failed to check for due tasks')
      return RETRY_AFTER_ERROR_MS
    },
  })
  return {
    ...loop /** Checks once for due tasks. Resolves with the milliseconds until the next check. */,
    runOnce,
  }
}

export type Scheduler = ReturnType<typeof createScheduler>

/** The current time minus the task's spread. Comparing it with `nextRunAt` shows if the task is on time. */
function withoutSpread({ nextRunAt, dueAt }: DueTask, now: Date): Date {
  return new Date(now.getTime() - (dueAt.getTime() - nextRunAt.getTime()))
}

/** A reading of the wall clock and of the monotonic clock, in milliseconds. */
type ClockReading = { wall: number; monotonic: number }

/** True if the wall clock is behind the time that has passed on the monotonic clock. */
function isClockSetBack(last: ClockReading, now: ClockReading): boolean {
  return last.wall + (now.monotonic - last.monotonic) - now.wall > CLOCK_BACK_TOLERANCE_MS
}

/** The prompt of the task with the oldest pending catch-up. */
async function findNextCatchUpPrompt(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('task')
    .select('prompt_name')
    .where('catch_up_for', 'is not', null)
    .orderBy('catch_up_for')
    .limit(1)
    .executeTakeFirst()
  return row?.prompt_name ?? null
}

/**
 * Corrects the next runs that differ from what the schedules say now. They differ after the clock was set back, and
 * after an update of Hansard or of its time zone data changed the rules of a zone.
 */
async function correctFutureRunTimes(db: Db, planner: TaskPlanner, now: Date): Promise<number> {
  let count = 0
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('task')
      .select(['id', 'name', 'cron_expression', 'timezone', 'next_run_at'])
      .where('next_run_at', '>', now)
      .where('id', '>', after)
      .orderBy('id')
      .limit(CORRECTION_BATCH_SIZE)
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
