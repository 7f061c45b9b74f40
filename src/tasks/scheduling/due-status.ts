import { nextRun } from '../cron/next-run.ts'
import type { Schedule } from '../cron/parse-schedule.ts'

/** What a due time is worth now. */
export type DueStatus =
  /** It is this time, or a little later. */
  | { state: 'on_time' }
  /** Nobody looked when it was time. `latest`: the one to be made up for, if any; `missed`: all of them. */
  | { state: 'late'; latest: Date | null; missed: number }

/** Until then a run is only late. */
const ON_TIME_TOLERANCE_MS = 60_000
const MAX_CATCH_UP_AGE_MS = 7 * 86_400_000
/** Nearer than this part of the way to the next run, that one does for both. */
const MIN_REMAINING_FRACTION = 0.1
/** Counted so far and no further: a person wants to know that it was many. */
const MAX_MISSED_COUNT = 1_000
const MINUTE_MS = 60_000

export function classifyDueTime(schedule: Schedule, dueFor: Date, now: Date): DueStatus {
  const following = nextRun(schedule, dueFor)
  const isPassed = following !== null && following <= now
  if (!isPassed && now.getTime() - dueFor.getTime() <= ON_TIME_TOLERANCE_MS)
    return { state: 'on_time' }
  const latest = isPassed ? findLastRun(schedule, dueFor, now) : dueFor
  const missed = countRuns(schedule, dueFor, now)
  return { state: 'late', latest: isWorthCatchingUp(schedule, latest, now) ? latest : null, missed }
}

function isWorthCatchingUp(schedule: Schedule, latest: Date, now: Date): boolean {
  const age = now.getTime() - latest.getTime()
  if (age > MAX_CATCH_UP_AGE_MS) return false
  const next = nextRun(schedule, now)
  if (next === null) return true
  const period = next.getTime() - latest.getTime()
  return next.getTime() - now.getTime() > MIN_REMAINING_FRACTION * period
}

/** The last run up to now: found backwards in steps that double, since a schedule only knows what is next. */
function findLastRun(schedule: Schedule, from: Date, now: Date): Date {
  let found = from
  for (let back = MINUTE_MS; ; back *= 2) {
    const start = Math.max(now.getTime() - back, from.getTime())
    // A run at the very start of the stretch belongs to it.
    const first = nextRun(schedule, new Date(start - 1))
    if (first !== null && first <= now) {
      found = first
      break
    }
    if (start === from.getTime()) return from
  }
  for (let next = nextRun(schedule, found); next !== null && next <= now;) {
    found = next
    next = nextRun(schedule, found)
  }
  return found
}

function countRuns(schedule: Schedule, from: Date, now: Date): number {
  let count = 0
  for (
    let at: Date | null = from;
    at !== null && at <= now && count < MAX_MISSED_COUNT;
    count += 1
  ) {
    at = nextRun(schedule, at)
  }
  return count
}
