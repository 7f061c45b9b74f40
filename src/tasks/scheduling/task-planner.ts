import { sha256 } from '../../lib/crypto/digest.ts'
import { findNextRunTime, listNextRuns } from '../cron/next-run.ts'
import { parseSchedule, type Schedule, type ScheduleProblem } from '../cron/parse-schedule.ts'

/** The next run of a task and when the scheduler acts on it. Both are null for a task that runs only on demand. */
export type TaskPlan = { nextRunAt: Date | null; schedulerActsAt: Date | null }

export interface TaskPlanner {
  /** The parsed schedule, or all problems, including limits of this instance. */
  checkSchedule(cronExpression: string, timezone: string): Schedule | ScheduleProblem[]
  /** The plan for the first run after a time. */
  planAfter(name: string, schedule: Schedule, after: Date): TaskPlan
  /** The plan for the first run after `dueFor` that is still ahead when delayed by the task's spread. */
  planAfterDue(name: string, schedule: Schedule, dueFor: Date, now: Date): TaskPlan
}

export type SchedulingPolicy = {
  /** Each task is delayed by up to this many seconds, always by the same amount, so that tasks do not start together. */
  spreadSeconds: number
  minIntervalMinutes: number
}

/** The plan of a task without a next run. */
export const NO_SCHEDULED_RUN_PLAN: TaskPlan = { nextRunAt: null, schedulerActsAt: null }
/** How many runs are checked for the minimum interval. More than a day of any schedule that the limit concerns. */
const CHECKED_RUNS = 100
const MINUTE_MS = 60_000

export function createTaskPlanner({
  spreadSeconds,
  minIntervalMinutes,
}: SchedulingPolicy): TaskPlanner {
  const spreadMs = (name: string) =>
    spreadSeconds === 0 ? 0 : sha256(name).readUInt32BE(0) % (spreadSeconds * 1000)
  const planAfter = (name: string, schedule: Schedule, after: Date): TaskPlan => {
    const nextRunAt = findNextRunTime(schedule, after)
    if (nextRunAt === null) return NO_SCHEDULED_RUN_PLAN
    return { nextRunAt, schedulerActsAt: new Date(nextRunAt.getTime() + spreadMs(name)) }
  }
  return {
    checkSchedule(cronExpression, timezone) {
      const schedule = parseSchedule(cronExpression, timezone)
      if (Array.isArray(schedule) || minIntervalMinutes <= 1) return schedule
      return runsTooOften(schedule, minIntervalMinutes)
        ? [
            {
              path: 'cronExpression',
              message: `Runs more often than every ${minIntervalMinutes} minutes, which HANSARD_TASKS_MIN_INTERVAL_MINUTES does not allow`,
            },
          ]
        : schedule
    },
    planAfter,
    planAfterDue(name, schedule, dueFor, now) {
      const after = Math.max(dueFor.getTime(), now.getTime() - spreadMs(name))
      return planAfter(name, schedule, new Date(after))
    },
  }
}

function runsTooOften(schedule: Schedule, minutes: number): boolean {
  const times = listNextRuns(schedule, new Date(0), CHECKED_RUNS).map(({ at }) => at.getTime())
  return times.some((time, i) => i > 0 && time - (times[i - 1] ?? 0) < minutes * MINUTE_MS)
}
