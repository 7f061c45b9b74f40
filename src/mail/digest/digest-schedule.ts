import { DAY_MS, HOUR_MS } from '../../lib/time/durations.ts'
import { findInstantOfLocalTime, getZoneOffsets } from '../../lib/time/zone-offsets.ts'
import { WEEKDAYS, type DigestFrequency, type Weekday } from './choice-names.ts'

/** When a person gets digests. */
export type DigestSchedule = {
  frequency: Exclude<DigestFrequency, 'none'>
  /** Only for weekly digests. */
  weekday: Weekday
  /** From 0 to 23, in the time zone. */
  hour: number
  timeZone: string
}

/** What one digest covers. `to` is when it is due, and not part of it. */
export type DigestPeriod = {
  /** The local date on which it is due, such as `2026-11-19`. */
  day: string
  from: Date
  to: Date
}

/** When the next digest is due after a time. */
export function findNextDigestTime(schedule: DigestSchedule, after: Date): Date {
  // Begins a day early, because clocks that are set back after midnight show the day before again.
  for (let day = toLocalDay(schedule, after) - 1; ; day += 1) {
    const at = findDueTime(schedule, day)
    if (isDigestDay(schedule, day) && at > after) return at
  }
}

/** The periods of the newest digests that were due at a time, newest first. */
export function listDigestPeriods(
  schedule: DigestSchedule,
  now: Date,
  count: number,
): DigestPeriod[] {
  const periods: DigestPeriod[] = []
  let next: { day: number; at: Date } | null = null
  for (let day = toLocalDay(schedule, now) + 1; periods.length < count; day -= 1) {
    const at = findDueTime(schedule, day)
    if (!isDigestDay(schedule, day) || at > now) continue
    if (next !== null) periods.push({ day: formatDayNumber(next.day), from: at, to: next.at })
    next = { day, at }
  }
  return periods
}

/** The period of the newest digest that was due at a time. */
export function findDigestPeriod(schedule: DigestSchedule, now: Date): DigestPeriod {
  const [period] = listDigestPeriods(schedule, now, 1)
  if (period === undefined) throw new Error('a schedule always has a period before now')
  return period
}

/** The date so many days after a date. */
export function addDays(day: string, count: number): string {
  return formatDayNumber(Date.parse(`${day}T00:00:00Z`) / DAY_MS + count)
}

function findDueTime({ hour, timeZone }: DigestSchedule, day: number): Date {
  const spans = getZoneOffsets(timeZone).spansAround(day)
  return new Date(findInstantOfLocalTime(spans, day * DAY_MS + hour * HOUR_MS))
}

/** Days are counted from 1 January 1970, a Thursday. */
function isDigestDay({ frequency, weekday }: DigestSchedule, day: number): boolean {
  return frequency === 'daily' || WEEKDAYS[(day + 4) % 7] === weekday
}

function toLocalDay({ timeZone }: DigestSchedule, at: Date): number {
  const time = at.getTime()
  return Math.floor((time + getZoneOffsets(timeZone).offsetAt(time)) / DAY_MS)
}

function formatDayNumber(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
