import { DAY_MS } from '../../lib/time/durations.ts'

/** The dates on which a schedule runs. Null where the field of the expression is `*`. */
export type ScheduleDateFields = {
  days: ReadonlySet<number> | null
  months: ReadonlySet<number>
  /** From 0 for Sunday to 6 for Saturday. */
  weekdays: ReadonlySet<number> | null
}

/** The number of days of each month from January on, with 29 for February. */
const MAX_MONTH_LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The first day from `from` to `last` on which the schedule runs, or null. Days are counted from 1 January 1970. */
export function findNextRunDay(
  dates: ScheduleDateFields,
  from: number,
  last: number,
): number | null {
  const start = new Date(from * DAY_MS)
  let [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth() + 1, start.getUTCDate()]
  for (let first = from - day + 1; first + day - 1 <= last; day = 1) {
    const length = daysInMonth(year, month)
    for (; dates.months.has(month) && day <= length; day += 1) {
      const found = first + day - 1
      if (isRunDay(dates, day, toWeekday(found))) return found <= last ? found : null
    }
    first += length
    year += month === 12 ? 1 : 0
    month = (month % 12) + 1
  }
  return null
}

/** Whether no year has any of the dates, such as 30 February. `parseSchedule` refuses such a schedule. */
export function hasOnlyImpossibleDates({ days, months, weekdays }: ScheduleDateFields): boolean {
  if (days === null || weekdays !== null) return false
  const earliest = Math.min(...days)
  return [...months].every((month) => earliest > (MAX_MONTH_LENGTHS[month - 1] ?? 0))
}

/** As in every cron: when both day fields are restricted, a day that matches either of them is a run day. */
function isRunDay({ days, weekdays }: ScheduleDateFields, day: number, weekday: number): boolean {
  if (days === null) return weekdays === null || weekdays.has(weekday)
  return days.has(day) || (weekdays !== null && weekdays.has(weekday))
}

/** The weekday of a day counted from 1 January 1970, which was a Thursday. */
function toWeekday(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}

function daysInMonth(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && !isLeap ? 28 : (MAX_MONTH_LENGTHS[month - 1] ?? 0)
}
