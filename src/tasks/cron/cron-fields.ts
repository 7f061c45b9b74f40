import { DAY_MS } from '../../lib/time/durations.ts'

export type CronFieldDefinition = {
  name: 'minute' | 'hour' | 'day-of-month' | 'month' | 'day-of-week'
  min: number
  max: number
  /** How many different values the field has. The day of the week has 7, because 0 and 7 both mean Sunday. */
  size: number
  /** Names for the numbers from `min` on, such as JAN. Empty if the field has no names. */
  names: readonly string[]
}

/** The five fields in the order of a cron expression. */
export const CRON_FIELDS = {
  minute: { name: 'minute', min: 0, max: 59, size: 60, names: [] },
  hour: { name: 'hour', min: 0, max: 23, size: 24, names: [] },
  dayOfMonth: { name: 'day-of-month', min: 1, max: 31, size: 31, names: [] },
  month: {
    name: 'month',
    min: 1,
    max: 12,
    size: 12,
    names: 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' '),
  },
  dayOfWeek: {
    name: 'day-of-week',
    min: 0,
    max: 7,
    size: 7,
    names: 'SUN MON TUE WED THU FRI SAT'.split(' '),
  },
} as const satisfies Record<string, CronFieldDefinition>

/** A field of a cron expression is invalid. The message begins with the name of the field. */
export class CronFieldError extends Error {
  override readonly name = 'CronFieldError'

  constructor(field: CronFieldDefinition, problem: string) {
    super(`${field.name}: ${problem}`)
  }
}

const ITEM_PATTERN = /^(?:\*|(?<from>\w+)(?:-(?<to>\w+))?)(?:\/(?<step>\w+))?$/
/** Extensions of other schedulers, such as `L` and `15W`. The pattern must not match the names `JUL` and `WED`. */
const UNSUPPORTED_SYNTAX =
  /[?#]|^h(?:$|[/(])|^l(?:$|w$|-)|^\d+[lw]$|^(?:sun|mon|tue|wed|thu|fri|sat)l$/i
const MAX_QUOTED_LENGTH = 24

/** The dates on which a schedule runs. Null if the field of the expression is `*`. */
export type ScheduleDateFields = {
  days: ReadonlySet<number> | null
  months: ReadonlySet<number>
  /** From 0 for Sunday to 6 for Saturday. */
  weekdays: ReadonlySet<number> | null
}

/** The length of each month, starting with January. February has 29 days. */
const MAX_MONTH_LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The values of a field in ascending order. Throws a `CronFieldError` if the text is invalid. */
export function parseCronField(field: CronFieldDefinition, text: string): number[] {
  const values = new Set(text.split(',').flatMap((item) => parseItem(field, item)))
  return [...values].toSorted((a, b) => a - b)
}

/** Quotes a caller's input in a message: shortened, and without characters that could affect a log or terminal. */
export function quoteInput(text: string): string {
  const start = text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text
  return JSON.stringify(start.toWellFormed().replace(/[^\x20-\x7e…]/gu, '\ufffd'))
}

function parseItem(field: CronFieldDefinition, item: string): number[] {
  if (item === '') throw new CronFieldError(field, 'the list has an empty item')
  if (UNSUPPORTED_SYNTAX.test(item)) {
    throw new CronFieldError(
      field,
      `${quoteInput(item)} is not supported: L, W, #, ? and H are not part of standard cron`,
    )
  }
  const groups = ITEM_PATTERN.exec(item)?.groups
  if (groups === undefined) {
    throw new CronFieldError(field, `${quoteInput(item)} is neither *, a value, a range nor a step`)
  }
  const { from, to, step } = groups
  const [first, last] = from === undefined ? [field.min, field.max] : parseRange(field, from, to)
  if (step === undefined) return sequence(field, first, last, 1)
  if (from !== undefined && to === undefined) {
    const range = `${from}-${field.max}/${step}`
    throw new CronFieldError(
      field,
      `a step must follow * or a range: write ${quoteInput(range)} rather than ${quoteInput(item)}`,
    )
  }
  return sequence(field, first, last, parseStep(field, step))
}

function parseRange(
  field: CronFieldDefinition,
  from: string,
  to: string | undefined,
): [number, number] {
  const first = parseValue(field, from)
  const last = to === undefined ? first : parseValue(field, to)
  if (first <= last) return [first, last]
  const alternative = `${formatRange(first, field.max)},${formatRange(field.min, last)}`
  throw new CronFieldError(
    field,
    `the range ${quoteInput(`${from}-${to}`)} ends before it begins: write "${alternative}"`,
  )
}

function formatRange(first: number, last: number): string {
  return first === last ? String(first) : `${first}-${last}`
}

function parseValue(field: CronFieldDefinition, text: string): number {
  const named = field.names.indexOf(text.toUpperCase())
  if (named >= 0) return field.min + named
  if (!/^\d+$/.test(text))
    throw new CronFieldError(field, `${quoteInput(text)} is not ${describeAllowedValues(field)}`)
  const value = Number(text)
  if (value > field.max)
    throw new CronFieldError(field, `${quoteInput(text)} is above ${field.max}`)
  if (value < field.min)
    throw new CronFieldError(field, `${quoteInput(text)} is below ${field.min}`)
  return value
}

function describeAllowedValues({ min, max, names }: CronFieldDefinition): string {
  const numbers = `a number from ${min} to ${max}`
  return names.length === 0 ? numbers : `${numbers} or a name from ${names[0]} to ${names.at(-1)}`
}

function parseStep(field: CronFieldDefinition, text: string): number {
  if (!/^\d+$/.test(text) || Number(text) === 0) {
    throw new CronFieldError(field, `the step ${quoteInput(text)} is not a number of at least 1`)
  }
  // `*/90` would run once an hour, but its author expected a run every 90 minutes.
  if (Number(text) > field.size) {
    throw new CronFieldError(
      field,
      `the step ${quoteInput(text)} is larger than the field, which has ${field.size} values`,
    )
  }
  return Number(text)
}

function sequence(field: CronFieldDefinition, first: number, last: number, step: number): number[] {
  const values = []
  for (let value = first; value <= last; value += step) {
    values.push(field.name === 'day-of-week' ? value % 7 : value)
  }
  return values
}

/** The first day from `from` to `last` on which the schedule runs, or null. Day 0 is 1 January 1970. */
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

/** True if no year has any of the dates, such as 30 February. `parseSchedule` refuses such a schedule. */
export function hasOnlyImpossibleDates({ days, months, weekdays }: ScheduleDateFields): boolean {
  if (days === null || weekdays !== null) return false
  const earliest = Math.min(...days)
  return [...months].every((month) => earliest > (MAX_MONTH_LENGTHS[month - 1] ?? 0))
}

/** As in every cron: if both day fields are restricted, it runs on days that match either of them. */
function isRunDay({ days, weekdays }: ScheduleDateFields, day: number, weekday: number): boolean {
  if (days === null) return weekdays === null || weekdays.has(weekday)
  return days.has(day) || (weekdays !== null && weekdays.has(weekday))
}

/** The weekday of a day. Day 0 is 1 January 1970, a Thursday. */
function toWeekday(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}

function daysInMonth(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && !isLeap ? 28 : (MAX_MONTH_LENGTHS[month - 1] ?? 0)
}
