import { sha256 } from '../../lib/crypto/digest.ts'
import { nextRun, nextRuns } from '../cron/next-run.ts'
import { parseSchedule, type Schedule, type ScheduleProblem } from '../cron/parse-schedule.ts'

/** When a task is to run, and when somebody has to look at it. Both null: never by itself. */
export type TaskPlan = { nextRunAt: Date | null; dueAt: Date | null }

export interface TaskPlanner {
  /** The schedule, or all that is wrong with it here. */
  checkSchedule(cronExpression: string, timezone: string): Schedule | ScheduleProblem[]
  /** The first time after the given one. */
  planAfter(name: string, schedule: Schedule, after: Date): TaskPlan
  /** The first time after one that was due which lies ahead once it is put off. */
  planAfterDue(name: string, schedule: Schedule, dueFor: Date, now: Date): TaskPlan
}

export type SchedulingPolicy = {
  /** Executions of different tasks are put off by up to so long, each task always by the same. */
  spreadSeconds: number
  minIntervalMinutes: number
}

const NO_PLAN: TaskPlan = { nextRunAt: null, dueAt: null }
/** So many runs are looked at: more than a day of any schedule that a limit is meant for. */
const CHECKED_RUNS = 100
const MINUTE_MS = 60_000

export function createTaskPlanner({
  spreadSeconds,
  minIntervalMinutes,
}: SchedulingPolicy): TaskPlanner {
  const spreadOf = (name: string) =>
    spreadSeconds === 0 ? 0 : sha256(name).readUInt32BE(0) % (spreadSeconds * 1000)
  const planAfter = (name: string, schedule: Schedule, after: Date): TaskPlan => {
    const nextRunAt = nextRun(schedule, after)
    if (nextRunAt === null) return NO_PLAN
    return { nextRunAt, dueAt: new Date(nextRunAt.getTime() + spreadOf(name)) }
  }
  return {
    checkSchedule(cronExpression, timezone) {
      const schedule = parseSchedule(cronExpression, timezone)
      if (Array.isArray(schedule) || minIntervalMinutes <= 1) return schedule
      return isTooOften(schedule, minIntervalMinutes)
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
      const after = Math.max(dueFor.getTime(), now.getTime() - spreadOf(name))
      return planAfter(name, schedule, new Date(after))
    },
  }
}

function isTooOften(schedule: Schedule, minutes: number): boolean {
  const times = nextRuns(schedule, new Date(0), CHECKED_RUNS).map(({ at }) => at.getTime())
  return times.some((time, i) => i > 0 && time - (times[i - 1] ?? 0) < minutes * MINUTE_MS)
}
