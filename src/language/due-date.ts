import { DAY_MS } from '../lib/time/durations.ts'
import { canonicalTimeZone } from '../lib/time/time-zone-name.ts'
import { formatLocalTimeWithoutOffset } from '../lib/time/zone-offsets.ts'

/**
 * How a date expression is resolved:
 * - `days`: that many days after the meeting, given by `amount`
 * - `weekday`, `thisWeekday`, `nextWeekday`: group `weekday`; the next such day after the meeting, the one of this week,
 *   the one of next week
 * - `endOfWeek`, `endOfMonth`: the Friday or the last day of the week or month that is `amount` later
 * - `endOfYear`: 31 December
 * - `inUnits`: group `count` with group `unit`, one of the language's words for days, weeks and months
 * - `monthDay`: groups `day` and `month`; `dayOfMonth`: group `day`; both the next such date, at the earliest today
 * - `isoDate`: groups `year`, `month` and `day` as numbers
 */
export type DateKind =
  | 'days'
  | 'weekday'
  | 'thisWeekday'
  | 'nextWeekday'
  | 'endOfWeek'
  | 'endOfMonth'
  | 'endOfYear'
  | 'inUnits'
  | 'monthDay'
  | 'dayOfMonth'
  | 'isoDate'

type DateRule = { kind: DateKind; pattern: RegExp; amount: number }

export function dateRule(kind: DateKind, pattern: string | RegExp, amount = 0): DateRule {
  return { kind, pattern: typeof pattern === 'string' ? new RegExp(pattern, 'g') : pattern, amount }
}

/** How a language expresses dates. Patterns match folded text. */
export type DateLanguage = {
  /** If several rules match at the same position, the first one wins. */
  rules: readonly DateRule[]
  /** Patterns for the names, starting with Monday and January. */
  weekdays: readonly string[]
  months: readonly string[]
  /** Number words for `inUnits`, and day words such as "third" for `monthDay`. */
  numbers: Readonly<Record<string, number>>
  /** The beginning of a unit's name, and its length in days; null for a month. */
  units: ReadonlyArray<{ beginning: string; days: number | null }>
}

type DueDate = { date: string; start: number; end: number }

/** The first rule of every language. */
const ISO_DATE = dateRule('isoDate', /\b(?<year>20\d\d)-(?<month>\d\d)-(?<day>\d\d)\b/g)
const FRIDAY = 4
/** Only this much text is searched, to limit the cost. */
const MAX_CHARS = 400
const MAX_MATCHES = 5

/** A date as a number of days since 1 January 1970. */
export type CalendarDay = number

/** Returns the first date expression in a folded text, or null. */
export function findDueDate(
  folded: string,
  language: DateLanguage,
  today: CalendarDay,
): DueDate | null {
  const text = folded.slice(0, MAX_CHARS)
  let best: DueDate | null = null
  for (const { pattern, kind, amount } of [ISO_DATE, ...language.rules]) {
    if (text.search(pattern) === -1) continue
    for (const match of text.matchAll(pattern).take(MAX_MATCHES)) {
      if (best !== null && match.index >= best.start) break
      const day = resolveDay(kind, amount, match.groups ?? {}, language, today)
      if (day === null) continue
      best = {
        date: formatCalendarDay(day),
        start: match.index,
        end: match.index + match[0].length,
      }
      break
    }
  }
  return best
}

type Groups = Readonly<Record<string, string | undefined>>

function resolveDay(
  kind: DateKind,
  amount: number,
  groups: Groups,
  language: DateLanguage,
  today: CalendarDay,
): CalendarDay | null {
  const monday = today - weekdayOf(today)
  const weekday = indexOfName(language.weekdays, groups['weekday'])
  switch (kind) {
    case 'days':
      return today + amount
    case 'weekday':
      return today + ((weekday - weekdayOf(today) + 6) % 7) + 1
    case 'thisWeekday':
      return monday + weekday < today ? monday + weekday + 7 : monday + weekday
    case 'nextWeekday':
      return monday + 7 + weekday
    case 'endOfWeek': {
      // On a weekend, "this week" means the week that is about to begin.
      const isWeekend = weekdayOf(today) > FRIDAY
      return monday + FRIDAY + 7 * (amount + (isWeekend && amount === 0 ? 1 : 0))
    }
    case 'endOfMonth':
      return lastDayOfMonth(today, amount)
    case 'endOfYear':
      return dayOfDate(dateOfDay(today).year, 12, 31)
    case 'inUnits':
      return resolveUnits(groups, language, today)
    case 'monthDay':
      return resolveMonthDay(
        readNumber(groups['day'], language),
        Number(groups['monthNumber'] ?? indexOfName(language.months, groups['month']) + 1),
        today,
      )
    case 'dayOfMonth':
      return resolveDayOfMonth(readNumber(groups['day'], language), today)
    case 'isoDate':
      return dayOfDate(Number(groups['year']), Number(groups['month']), Number(groups['day']))
  }
}

export function indexOfName(patterns: readonly string[], name: string | undefined): number {
  return name === undefined
    ? -1
    : patterns.findIndex((pattern) => new RegExp(`^(?:${pattern})$`).test(name))
}

export function readNumber(text: string | undefined, { numbers }: DateLanguage): number {
  if (text === undefined) return Number.NaN
  return numbers[text] ?? Number.parseInt(text, 10)
}

function resolveUnits(
  groups: Groups,
  language: DateLanguage,
  today: CalendarDay,
): CalendarDay | null {
  const count = readNumber(groups['count'], language)
  const unit = language.units.find(({ beginning }) => groups['unit']?.startsWith(beginning))
  if (unit === undefined || !(count > 0 && count < 400)) return null
  return unit.days === null ? addMonths(today, count) : today + count * unit.days
}

function resolveMonthDay(day: number, month: number, today: CalendarDay): CalendarDay | null {
  const { year } = dateOfDay(today)
  const found = dayOfDate(year, month, day)
  return found !== null && found < today ? dayOfDate(year + 1, month, day) : found
}

function resolveDayOfMonth(day: number, today: CalendarDay): CalendarDay | null {
  const { year, month } = dateOfDay(today)
  // If a month lacks the day, the next month is used: "by the 29th", said on 30 January, is in March.
  for (let monthIndex = month - 1; monthIndex <= month + 1; monthIndex += 1) {
    const found = dayOfDate(year + Math.floor(monthIndex / 12), (monthIndex % 12) + 1, day)
    if (found !== null && found >= today) return found
  }
  return null
}

export function toCalendarDay(at: Date, timeZone: string | null): CalendarDay {
  const zone = timeZone === null ? null : canonicalTimeZone(timeZone)
  const date = formatLocalTimeWithoutOffset(at, zone ?? 'UTC').slice(0, 10)
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS
}

/** Formats a day as `2026-11-18`. */
export function formatCalendarDay(day: CalendarDay): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** 0 is Monday, 6 is Sunday. */
export function weekdayOf(day: CalendarDay): number {
  return (day + 3) % 7
}

/** Returns null if the month has no such day. Months are numbered from 1. */
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

/** The last day of the month that is `months` after the month of `day`. */
function lastDayOfMonth(day: CalendarDay, months: number): CalendarDay {
  const { year, month } = dateOfDay(day)
  return Date.UTC(year, month + months, 0) / DAY_MS
}

/** The same day some months later, or the last day of a shorter month. */
export function addMonths(day: CalendarDay, months: number): CalendarDay {
  const { year, month, dayOfMonth } = dateOfDay(day)
  const last = lastDayOfMonth(day, months)
  const target = Date.UTC(year, month - 1 + months, dayOfMonth) / DAY_MS
  return Math.min(last, target)
}
