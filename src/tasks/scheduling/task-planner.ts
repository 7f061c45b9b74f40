import { sha256 } from '../../lib/crypto.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import { findNextRunTime, listNextRuns } from '../cron/next-run.ts'
import { parseSchedule, type Schedule, type ScheduleProblem } from '../cron/parse-schedule.ts'

/** A task's next run, and when the scheduler acts on it. Both are null for a task that only runs on demand. */
export type TaskPlan = { nextRunAt: Date | null; schedulerActsAt: Date | null }

export type SchedulingPolicy = {
  /** Each task is delayed by up to this many seconds, always by the same time, so that tasks do not start together. */
  spreadSeconds: number
  minIntervalMinutes: number
}

/** The plan of a task without a next run. */
export const NO_SCHEDULED_RUN_PLAN: TaskPlan = { nextRunAt: null, schedulerActsAt: null }
/** How many runs are checked for the minimum interval. Covers more than a day of any schedule that it concerns. */
const CHECKED_RUNS = 100
const MINUTE_MS = 60_000

/** Tells if a due time is handled on time or late. */
export type DueStatus =
  /** At most a minute has passed since the due time, and the next one has not come. */
  | { state: 'on_time' }
  /** No node handled the due time promptly. `latest`: the one to catch up on, or null; `missed`: their number. */
  | { state: 'late'; latest: Date | null; missed: number }

/** Up to this delay, a due time is still on time. */
const ON_TIME_TOLERANCE_MS = 60_000
/** Older due times are not caught up on. */
const MAX_CATCH_UP_AGE_MS = 7 * DAY_MS
/** If less than this fraction of the period remains until the next run, there is no catch-up. */
const MIN_REMAINING_FRACTION = 0.1
/** The count of missed due times stops here. People only need to know that there were many. */
const MAX_MISSED_COUNT = 1_000

export function createTaskPlanner({ spreadSeconds, minIntervalMinutes }: SchedulingPolicy) {
  const spreadMs = (name: string) =>
    spreadSeconds === 0 ? 0 : sha256(name).readUInt32BE(0) % (spreadSeconds * 1000)
  const planAfter = (name: string, schedule: Schedule, after: Date): TaskPlan => {
    const nextRunAt = findNextRunTime(schedule, after)
    if (nextRunAt === null) return NO_SCHEDULED_RUN_PLAN
    return { nextRunAt, schedulerActsAt: new Date(nextRunAt.getTime() + spreadMs(name)) }
  }
  return {
    /** Returns the parsed schedule, or all problems, including those with limits of this instance. */
    checkSchedule(cronExpression: string, timezone: string): Schedule | ScheduleProblem[] {
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
    /** The plan for the first run after a time. */
    planAfter,
    /** The plan for the first run after `dueFor` that is still in the future when delayed by the task's spread. */
    planAfterDue(name: string, schedule: Schedule, dueFor: Date, now: Date): TaskPlan {
      const after = Math.max(dueFor.getTime(), now.getTime() - spreadMs(name))
      return planAfter(name, schedule, new Date(after))
    },
  }
}

export type TaskPlanner = ReturnType<typeof createTaskPlanner>

function runsTooOften(schedule: Schedule, minutes: number): boolean {
  const times = listNextRuns(schedule, new Date(0), CHECKED_RUNS).map(({ at }) => at.getTime())
  return times.some((time, i) => i > 0 && time - (times[i - 1] ?? 0) < minutes * MINUTE_MS)
}

export function classifyDueTime(schedule: Schedule, scheduledFor: Date, now: Date): DueStatus {
  const followingRun = findNextRunTime(schedule, scheduledFor)
  const hasPassed = followingRun !== null && followingRun <= now
  if (!hasPassed && now.getTime() - scheduledFor.getTime() <= ON_TIME_TOLERANCE_MS)
    return { state: 'on_time' }
  const latest = hasPassed ? findLastRun(schedule, scheduledFor, now) : scheduledFor
  const missed = countRuns(schedule, scheduledFor, now)
  return { state: 'late', latest: isWorthCatchingUp(schedule, latest, now) ? latest : null, missed }
}

function isWorthCatchingUp(schedule: Schedule, latest: Date, now: Date): boolean {
  const age = now.getTime() - latest.getTime()
  if (age > MAX_CATCH_UP_AGE_MS) return false
  const next = findNextRunTime(schedule, now)
  if (next === null) return true
  const period = next.getTime() - latest.getTime()
  return next.getTime() - now.getTime() > MIN_REMAINING_FRACTION * period
}

/** The last run up to now. Schedules only search forwards, so the search starts at doubling distances before now. */
function findLastRun(schedule: Schedule, from: Date, now: Date): Date {
  let lastRun = from
  for (let distance = MINUTE_MS; ; distance *= 2) {
    const start = Math.max(now.getTime() - distance, from.getTime())
    // One millisecond earlier, so that a run exactly at the start is found.
    const first = findNextRunTime(schedule, new Date(start - 1))
    if (first !== null && first <= now) {
      lastRun = first
      break
    }
    if (start === from.getTime()) return from
  }
  for (let next = findNextRunTime(schedule, lastRun); next !== null && next <= now;) {
    lastRun = next
    next = findNextRunTime(schedule, lastRun)
  }
  return lastRun
}

function countRuns(schedule: Schedule, from: Date, now: Date): number {
  let count = 0
  for (
    let at: Date | null = from;
    at !== null && at <= now && count < MAX_MISSED_COUNT;
    count += 1
  ) {
    at = findNextRunTime(schedule, at)
  }
  return count
}
