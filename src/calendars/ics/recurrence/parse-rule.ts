import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../lib/time/durations.ts'
import { parseWallTime, type WallTime } from '../text/values.ts'

export type Frequency = keyof typeof PERIOD_MS
export type Weekday = (typeof WEEKDAYS)[number]
export type Skip = (typeof SKIPS)[number]

/** A valid recurrence rule of RFC 5545. */
export type Rule = {
  frequency: Frequency
  interval: number
  count: number | null
  until: WallTime | null
  weekStart: Weekday
  /** The lists of values, such as BYMONTH. Contains only lists that the rule has. */
  lists: Partial<Record<NumberList, number[]>>
  /** Weekdays with an optional number, such as `MO` or `-1FR`. */
  weekdays: string[] | null
  /** What happens to a date that does not exist in its month (RFC 7529). */
  skip: Skip
}

/** The shortest possible period of each frequency. */
export const PERIOD_MS = {
  SECONDLY: SECOND_MS,
  MINUTELY: MINUTE_MS,
  HOURLY: HOUR_MS,
  DAILY: DAY_MS,
  WEEKLY: 7 * DAY_MS,
  MONTHLY: 28 * DAY_MS,
  YEARLY: 365 * DAY_MS,
} as const
const SKIPS = ['OMIT', 'BACKWARD', 'FORWARD'] as const
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

export type NumberList = keyof typeof NUMBER_LISTS

/** The allowed values of each list. Lists that can count from the end allow negative numbers, but not 0. */
const NUMBER_LISTS = {
  BYSECOND: { min: 0, max: 59, isSigned: false },
  BYMINUTE: { min: 0, max: 59, isSigned: false },
  BYHOUR: { min: 0, max: 23, isSigned: false },
  BYMONTHDAY: { min: 1, max: 31, isSigned: true },
  BYYEARDAY: { min: 1, max: 366, isSigned: true },
  BYWEEKNO: { min: 1, max: 53, isSigned: true },
  BYMONTH: { min: 1, max: 12, isSigned: false },
  BYSETPOS: { min: 1, max: 366, isSigned: true },
} as const

const WEEKDAY = /^[+-]?(?:[1-9]|[1-4]\d|5[0-3])?(?:MO|TU|WE|TH|FR|SA|SU)$/
/** Longer than any real rule, and short enough to keep its lists short. */
const MAX_LENGTH = 500

/** Parses an RRULE. Null if it is invalid, or for a calendar other than the Gregorian. */
export function parseRule(text: string): Rule | null {
  if (text.length > MAX_LENGTH) return null
  const parts = readParts(text)
  const frequency = parts?.get('FREQ')
  if (parts === null || frequency === undefined || !isFrequency(frequency)) return null
  const interval = parsePositive(parts.get('INTERVAL') ?? '1')
  // Some calendars write -1 for a series without an end.
  const isCounted = parts.has('COUNT') && parts.get('COUNT') !== '-1'
  const count = isCounted ? parsePositive(parts.get('COUNT') ?? '') : null
  const until = parts.has('UNTIL') ? parseWallTime(parts.get('UNTIL') ?? '') : null
  const weekStart = parts.get('WKST') ?? 'MO'
  const lists = parseLists(parts)
  const weekdays = parts.get('BYDAY')?.split(',') ?? null
  const skip = parseSkip(parts)
  const isValid =
    interval !== null &&
    lists !== null &&
    skip !== null &&
    isWeekday(weekStart) &&
    (count !== null || !isCounted) &&
    (until !== null || !parts.has('UNTIL')) &&
    (weekdays === null || weekdays.every((day) => WEEKDAY.test(day))) &&
    ['GREGORIAN', undefined].includes(parts.get('RSCALE'))
  if (!isValid) return null
  return { frequency, interval, count, until, weekStart, lists, weekdays, skip }
}

/** The maximum number of times of a rule on one day. */
export function countTimesPerDay(rule: Rule): number {
  const { frequency, lists } = rule
  const count = (name: NumberList) => lists[name]?.length ?? 1
  const periods = countPeriods(rule, DAY_MS)
  // Lists below the unit of the frequency add times to each period.
  if (frequency === 'SECONDLY') return periods
  if (frequency === 'MINUTELY') return periods * count('BYSECOND')
  if (frequency === 'HOURLY') return periods * count('BYMINUTE') * count('BYSECOND')
  return count('BYHOUR') * count('BYMINUTE') * count('BYSECOND')
}

/** The maximum number of periods of a rule within `ms`. */
export function countPeriods({ frequency, interval }: Rule, ms: number): number {
  return Math.ceil(ms / (PERIOD_MS[frequency] * interval))
}

function readParts(text: string): Map<string, string> | null {
  const parts = new Map<string, string>()
  // A rule contains neither, but some calendars write a space after a comma, or `\;` as in a text.
  for (const part of text
    .replaceAll(/[\s\\]/g, '')
    .toUpperCase()
    .split(';')
    .filter(Boolean)) {
    const [name = '', value = '', ...rest] = part.split('=')
    if (name === '' || value === '' || rest.length > 0 || parts.has(name)) return null
    parts.set(name, value)
  }
  return parts
}

/** Null if it is invalid, or if the rule has a list of dates, for which the engine does not apply it. */
function parseSkip(parts: ReadonlyMap<string, string>): Skip | null {
  const skip = SKIPS.find((name) => name === (parts.get('SKIP') ?? 'OMIT')) ?? null
  if (skip === null || skip === 'OMIT') return skip
  const hasList = [...parts.keys()].some((name) => name.startsWith('BY'))
  return parts.has('RSCALE') && !hasList ? skip : null
}

function parseLists(parts: ReadonlyMap<string, string>): Rule['lists'] | null {
  const lists: Rule['lists'] = {}
  for (const [name, range] of Object.entries(NUMBER_LISTS)) {
    const text = parts.get(name)
    if (text === undefined) continue
    const values = text.split(',').map((value) => parseInRange(value, range))
    if (values.includes(null)) return null
    const numbers = values.filter((value) => value !== null)
    lists[name as NumberList] = [...new Set(numbers)].toSorted((a, b) => a - b)
  }
  return lists
}

function parseInRange(
  text: string,
  { min, max, isSigned }: (typeof NUMBER_LISTS)[NumberList],
): number | null {
  if (!/^[+-]?\d{1,3}$/.test(text)) return null
  const value = Number(text)
  const size = isSigned ? Math.abs(value) : value
  return size >= min && size <= max ? value : null
}

function parsePositive(text: string): number | null {
  return /^\d{1,15}$/.test(text) && Number(text) > 0 ? Number(text) : null
}

function isFrequency(text: string): text is Frequency {
  return Object.hasOwn(PERIOD_MS, text)
}

function isWeekday(text: string): text is Weekday {
  return WEEKDAYS.some((day) => day === text)
}
