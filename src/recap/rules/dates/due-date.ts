import {
  addMonths,
  dateOfDay,
  dayOfDate,
  formatCalendarDay,
  lastDayOfMonth,
  weekdayOf,
  type CalendarDay,
} from './calendar-day.ts'

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

/** How a language expresses dates. Patterns match folded text. */
export type DateLanguage = {
  /** The first rule wins among those that match at the same position. */
  rules: ReadonlyArray<{ pattern: RegExp; kind: DateKind; amount?: number }>
  /** Patterns of the names, Monday and January first. */
  weekdays: readonly string[]
  months: readonly string[]
  /** Number words for `inUnits` and day words such as "third" for `monthDay`. */
  numbers: Readonly<Record<string, number>>
  /** Beginning of a unit's name, and its length in days; null for a month. */
  units: ReadonlyArray<{ beginning: string; days: number | null }>
}

type DueDate = { date: string; start: number; end: number }

const FRIDAY = 4
/** Only this much text is searched, to bound the cost. */
const MAX_CHARS = 400
const MAX_MATCHES = 5

/** The first date expression in a folded text, or null. */
export function findDueDate(
  folded: string,
  language: DateLanguage,
  today: CalendarDay,
): DueDate | null {
  const text = folded.slice(0, MAX_CHARS)
  let best: DueDate | null = null
  for (const { pattern, kind, amount = 0 } of language.rules) {
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
      // On a weekend, "this week" means the week that begins.
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

function indexOfName(patterns: readonly string[], name: string | undefined): number {
  return name === undefined
    ? -1
    : patterns.findIndex((pattern) => new RegExp(`^(?:${pattern})$`).test(name))
}

function readNumber(text: string | undefined, { numbers }: DateLanguage): number {
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
  // A month may lack the day, and then the one after it has it: "by the 29th", said on 30 January, is in March.
  for (let monthIndex = month - 1; monthIndex <= month + 1; monthIndex += 1) {
    const found = dayOfDate(year + Math.floor(monthIndex / 12), (monthIndex % 12) + 1, day)
    if (found !== null && found >= today) return found
  }
  return null
}
