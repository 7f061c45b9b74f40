import { DAY_MS } from './zone-offsets.ts'

/** On which dates a schedule runs; null where a literal `*` leaves it open. */
export type ScheduleDates = {
  days: ReadonlySet<number> | null
  months: ReadonlySet<number>
  /** 0 is Sunday. */
  weekdays: ReadonlySet<number> | null
}

/** January first, February in a leap year. */
const MAX_MONTH_LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The first day from `from` to `last`, as days since 1970, on which the schedule runs, or null. */
export function findNextDate(dates: ScheduleDates, from: number, last: number): number | null {
  const start = new Date(from * DAY_MS)
  let [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth() + 1, start.getUTCDate()]
  for (let first = from - day + 1; first + day - 1 <= last; day = 1) {
    const length = daysInMonth(year, month)
    for (; dates.months.has(month) && day <= length; day += 1) {
      const found = first + day - 1
      if (isRunDay(dates, day, weekdayOf(found))) return found <= last ? found : null
    }
    first += length
    year += month === 12 ? 1 : 0
    month = (month % 12) + 1
  }
  return null
}

/** True for dates that no year has, such as 30 February. `parseSchedule` refuses them. */
export function hasNoRuns({ days, months, weekdays }: ScheduleDates): boolean {
  if (days === null || weekdays !== null) return false
  const earliest = Math.min(...days)
  return [...months].every((month) => earliest > (MAX_MONTH_LENGTHS[month - 1] ?? 0))
}

/** Two restrictions are two ways to match, as in every cron. */
function isRunDay({ days, weekdays }: ScheduleDates, day: number, weekday: number): boolean {
  if (days === null) return weekdays === null || weekdays.has(weekday)
  return days.has(day) || (weekdays !== null && weekdays.has(weekday))
}

/** 1970 began on a Thursday. */
function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}

function daysInMonth(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && !isLeap ? 28 : (MAX_MONTH_LENGTHS[month - 1] ?? 0)
}
