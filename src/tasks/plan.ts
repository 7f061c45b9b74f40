import { sha256 } from '../lib/digest.ts'
import { nextRun, nextRuns } from './schedule/next-run.ts'
import { parseSchedule, type Schedule, type ScheduleProblem } from './schedule/parse.ts'

/** When a task is to run, and when somebody has to look at it. Both null: never by itself. */
export type Plan = { nextRunAt: Date | null; dueAt: Date | null }

export interface Planner {
  /** The schedule, or all that is wrong with it here. */
  check(cronExpression: string, timezone: string): Schedule | ScheduleProblem[]
  /** The first time after the given one. */
  planAfter(name: string, schedule: Schedule, after: Date): Plan
  /** The first time after one that was due which lies ahead once it is put off. */
  planOn(name: string, schedule: Schedule, dueFor: Date, now: Date): Plan
}

export type PlanRules = {
  /** Executions of different tasks are put off by up to so long, each task always by the same. */
  spreadSeconds: number
  minIntervalMinutes: number
}

const NO_PLAN: Plan = { nextRunAt: null, dueAt: null }
/** So many runs are looked at: more than a day of any schedule that a limit is meant for. */
const SAMPLE = 100
const MINUTE_MS = 60_000

export function createPlanner({ spreadSeconds, minIntervalMinutes }: PlanRules): Planner {
  const spreadOf = (name: string) =>
    spreadSeconds === 0 ? 0 : sha256(name).readUInt32BE(0) % (spreadSeconds * 1000)
  const planAfter = (name: string, schedule: Schedule, after: Date): Plan => {
    const nextRunAt = nextRun(schedule, after)
    if (nextRunAt === null) return NO_PLAN
    return { nextRunAt, dueAt: new Date(nextRunAt.getTime() + spreadOf(name)) }
  }
  return {
    check(cronExpression, timezone) {
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
    planOn(name, schedule, dueFor, now) {
      const after = Math.max(dueFor.getTime(), now.getTime() - spreadOf(name))
      return planAfter(name, schedule, new Date(after))
    },
  }
}

function isTooOften(schedule: Schedule, minutes: number): boolean {
  const times = nextRuns(schedule, new Date(0), SAMPLE).map(({ at }) => at.getTime())
  return times.some((time, i) => i > 0 && time - (times[i - 1] ?? 0) < minutes * MINUTE_MS)
}
