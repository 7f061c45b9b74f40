import cronstrue from 'cronstrue'
import { listNextRuns, type ScheduledRun } from '../../../src/tasks/cron/next-run.ts'
import {
  parseSchedule,
  type Schedule,
  type ScheduleProblem,
} from '../../../src/tasks/cron/parse-schedule.ts'

/** Common schedules to choose from. */
export const CRON_PRESETS = [
  { value: '0 * * * *', label: 'Every hour' },
  { value: '0 9 * * *', label: 'Every day at 09:00' },
  { value: '0 9 * * 1-5', label: 'Monday to Friday at 09:00' },
  { value: '0 9 * * 1', label: 'Every Monday at 09:00' },
  { value: '0 9 1 * *', label: 'On the first of the month at 09:00' },
] as const

const SHOWN_RUNS = 5
/** Runs to compute. More than a year for a daily task, so that they include the next daylight saving change. */
const FORECAST_RUNS = 400
const OPTIONS = { use24HourTimeFormat: true }

export type ScheduleForecast = {
  description: string
  runs: ScheduledRun[]
  /** The next run that a daylight saving change affects. It may be later than the last of `runs`. */
  nextClockChange: (ScheduledRun & { note: string }) | null
}

export function listScheduleProblems(expression: string, zone: string): ScheduleProblem[] {
  const parsed = parseSchedule(expression, zone)
  return Array.isArray(parsed) ? parsed : []
}

/** Uses the scheduler's own evaluator, so that the forecast matches the real runs. Null if the schedule is invalid. */
export function forecastIfValidSchedule(
  expression: string,
  zone: string,
  now: Date,
): ScheduleForecast | null {
  const schedule = parseSchedule(expression, zone)
  if (Array.isArray(schedule)) return null
  const runs = listNextRuns(schedule, now, FORECAST_RUNS)
  const affected = runs.find((run): run is ScheduledRun & { note: string } => run.note !== null)
  return {
    description: describeSchedule(schedule),
    runs: runs.slice(0, SHOWN_RUNS),
    nextClockChange: affected ?? null,
  }
}

/** Describes a cron expression in words. Returns an invalid expression unchanged. */
export function describeCron(expression: string): string {
  const schedule = parseSchedule(expression, 'UTC')
  return Array.isArray(schedule) ? expression : describeSchedule(schedule)
}

function describeSchedule(schedule: Schedule): string {
  const [minute, hour, day, month, weekday] = schedule.expression.split(' ')
  if (schedule.days === null && schedule.weekdays === null) {
    const words = cronstrue.toString(schedule.expression, OPTIONS)
    return schedule.isFixedTime && schedule.months.size === 12 ? `${words}, every day` : words
  }
  if (schedule.days === null || schedule.weekdays === null) {
    return cronstrue.toString(schedule.expression, OPTIONS)
  }
  // Cron runs if the date OR the weekday matches. One combined sentence would read as AND.
  const [byDate, byWeekday] = [`${day} ${month} *`, `* ${month} ${weekday}`].map((days) =>
    cronstrue.toString(`${minute} ${hour} ${days}`, OPTIONS),
  )
  return `${byDate}; and also: ${byWeekday}`
}
