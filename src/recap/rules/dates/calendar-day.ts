import { DAY_MS } from '../../../lib/time/durations.ts'
import { formatLocalTimeWithoutOffset } from '../../../lib/time/zone-offsets.ts'
import { canonicalTimeZone } from '../../../lib/time/time-zone-name.ts'

/** A date, counted in days from 1 January 1970. */
export type CalendarDay = number

export function toCalendarDay(at: Date, timeZone: string | null): CalendarDay {
  const zone = timeZone === null ? null : canonicalTimeZone(timeZone)
  const date = formatLocalTimeWithoutOffset(at, zone ?? 'UTC').slice(0, 10)
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS
}

/** As `2026-11-18`. */
export function formatCalendarDay(day: CalendarDay): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** 0 is Monday, 6 is Sunday. */
export function weekdayOf(day: CalendarDay): number {
  return (day + 3) % 7
}

/** Null when the month has no such day. Months count from 1. */
export function dayOfDate(year: number, month: number, dayOfMonth: number): CalendarDay | null {
  const time = Date.UTC(year, month - 1, dayOfMonth)
  const isValid = new Date(time).getUTCDate() === dayOfMonth && month >= 1 && month <= 12
  return isValid ? time / DAY_MS : null
}

export function dateOfDay(day: CalendarDay): { year: number; month: number; dayOfMonth: number } {
  const date = new Date(day * DAY_MS)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    dayOfMonth: date.getUTCDate(),
  }
}

/** The last day of the month that is `months` after the month of the day. */
export function lastDayOfMonth(day: CalendarDay, months: number): CalendarDay {
  const { year, month } = dateOfDay(day)
  return Date.UTC(year, month + months, 0) / DAY_MS
}

/** The same day of the month some months later, or the last day of a shorter month. */
export function addMonths(day: CalendarDay, months: number): CalendarDay {
  const { year, month, dayOfMonth } = dateOfDay(day)
  const last = lastDayOfMonth(day, months)
  const target = Date.UTC(year, month - 1 + months, dayOfMonth) / DAY_MS
  return Math.min(last, target)
}
