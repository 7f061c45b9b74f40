import { RRuleTemporal } from 'rrule-temporal'
import { DAY_MS } from '../../../lib/time/durations.ts'
import { FeedError } from '../problems.ts'
import {
  countPeriods,
  countTimesPerDay,
  type Frequency,
  type NumberList,
  PERIOD_MS,
  type Rule,
} from './parse-rule.ts'

/** Nothing that repeats more than every 15 minutes is a meeting. Also limits the work. */
const MAX_TIMES_PER_DAY = 96
/** No meeting began earlier, and counting from an earlier time would take too long. */
const EARLIEST_START = Date.UTC(1900, 0)
const MAX_INTERVAL = 100_000
/** A rule with COUNT is computed from its start, so the start must not be too long ago. */
const MAX_COUNTED_MS = 50 * 365 * DAY_MS
const MAX_COUNTED_PERIODS = 100_000
/** Twice the meetings that a calendar may have. Times that are excluded later cost just as much. */
const MAX_LISTED_TIMES = 100_000

export type RuleProblem = 'rule_too_frequent' | 'rule_too_long'

export type RuleRange = {
  /** When the event starts. */
  start: number
  from: number
  to: number
  /** True if the rule excludes times. It then has no times other than its own. */
  isExclusion?: boolean
}

/** What all rules of a feed may cost together: periods that are counted one by one, and listed times. */
export type RuleBudget = { countedPeriods: number; listedTimes: number }

export function createRuleBudget(): RuleBudget {
  return { countedPeriods: MAX_COUNTED_PERIODS, listedTimes: MAX_LISTED_TIMES }
}

/**
 * Lists the times of a rule between two times, both inclusive, in ascending order. All times are local times of the
 * event's zone, as if they were UTC: a meeting at 9:00 stays at 9:00 when clocks change. UNTIL is not applied, because
 * it is an instant. The start is always the first time, even if it does not fit the rule (RFC 5545, section 3.8.5.3),
 * except for a rule that excludes times.
 */
export function expandRule(
  rule: Rule,
  range: RuleRange,
  budget: RuleBudget,
): { times: number[]; problem: RuleProblem | null } {
  const { start, from, to, isExclusion = false } = range
  const isStartInside = !isExclusion && start >= from && start <= to
  const onlyStart = isStartInside ? [start] : []
  if (to < start) return { times: [], problem: null }
  if (countTimesPerDay(rule) > MAX_TIMES_PER_DAY) {
    return { times: onlyStart, problem: 'rule_too_frequent' }
  }
  const isCounted = isCountReachable(rule, start, to)
  if (start < EARLIEST_START || (isCounted && !takeFromBudget(rule, to - start, budget))) {
    return { times: onlyStart, problem: 'rule_too_long' }
  }
  try {
    const times = listTimes(rule, isCounted, { ...range, from: Math.max(from, start) })
    budget.listedTimes -= times.length
    if (budget.listedTimes < 0) {
      throw new FeedError('too_complex', 'The events of the calendar repeat too often.')
    }
    const isMissing = isStartInside && times[0] !== start
    return { times: isMissing ? [start, ...times] : times, problem: null }
  } catch (error) {
    if (!isLimitError(error)) throw error
    return { times: onlyStart, problem: 'rule_too_long' }
  }
}

/** A count that cannot be reached before the end has no effect, but would be counted one by one. */
function isCountReachable({ count }: Rule, start: number, to: number): boolean {
  const days = Math.ceil((to - start) / DAY_MS) + 1
  return count !== null && count < days * MAX_TIMES_PER_DAY
}

/** The engine computes most rules by arithmetic, but goes through rules with one of these lists period by period. */
const COUNTED_LISTS = ['BYSETPOS', 'BYMONTH', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO'] as const

function takeFromBudget(rule: Rule, length: number, budget: RuleBudget): boolean {
  if (length > MAX_COUNTED_MS) return false
  if (COUNTED_LISTS.every((name) => rule.lists[name] === undefined)) return true
  budget.countedPeriods -= countPeriods(rule, length)
  return budget.countedPeriods >= 0
}

function listTimes(
  rule: Rule,
  isCounted: boolean,
  { start, from, to, isExclusion = false }: RuleRange,
): number[] {
  if (!isCounted) return query(rule, moveNear(rule, start, from), null, from, to)
  const isStartExtra = !isExclusion && query(rule, start, null, start, start).length === 0
  const count = (rule.count ?? 0) - Number(isStartExtra)
  return count === 0 ? [] : query(rule, start, count, from, to)
}

/** Periods of these frequencies always have the same length in local time. */
const FIXED_FREQUENCIES: ReadonlySet<Frequency> = new Set([
  'SECONDLY',
  'MINUTELY',
  'HOURLY',
  'DAILY',
  'WEEKLY',
])

/**
 * Returns a later start with the same times from `from` on, because the engine goes through all periods since the
 * start. Some periods before `from` remain, so that it does not begin inside one.
 */
function moveNear(rule: Rule, start: number, from: number): number {
  if (!FIXED_FREQUENCIES.has(rule.frequency)) return start
  const periods = countPeriods({ ...rule, interval: limitInterval(rule) }, from - start) - 3
  return start + Math.max(0, periods) * PERIOD_MS[rule.frequency] * limitInterval(rule)
}

function limitInterval({ interval }: Rule): number {
  return Math.min(interval, MAX_INTERVAL)
}

function query(
  rule: Rule,
  start: number,
  count: number | null,
  from: number,
  to: number,
): number[] {
  const list = (name: NumberList) => rule.lists[name]
  const engine = new RRuleTemporal({
    ...withoutUndefined({
      bySecond: list('BYSECOND'),
      byMinute: list('BYMINUTE'),
      byHour: list('BYHOUR'),
      byMonthDay: list('BYMONTHDAY'),
      byYearDay: list('BYYEARDAY'),
      byWeekNo: list('BYWEEKNO'),
      byMonth: list('BYMONTH'),
      bySetPos: list('BYSETPOS'),
      byDay: rule.weekdays ?? undefined,
      count: count ?? undefined,
    }),
    ...(rule.skip !== 'OMIT' && { rscale: 'GREGORIAN', skip: rule.skip }),
    freq: rule.frequency,
    interval: limitInterval(rule),
    wkst: rule.weekStart,
    dtstart: toEngineTime(start),
    tzid: 'UTC',
    cache: false,
  })
  return engine
    .between(new Date(from), new Date(to), true)
    .map(({ epochMilliseconds }) => epochMilliseconds)
}

/** The engine accepts any object that prints like a Temporal.ZonedDateTime, which Node 24 does not have. */
function toEngineTime(time: number) {
  const text = `${new Date(time).toISOString().slice(0, -1)}+00:00[UTC]`
  return { timeZoneId: 'UTC', toString: () => text }
}

/** The engine throws plain errors. These mean that a rule exceeds its limits, or the years that it supports. */
function isLimitError(error: unknown): boolean {
  return (
    error instanceof RangeError || (error instanceof Error && error.message.startsWith('Maximum '))
  )
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

function withoutUndefined<T extends object>(options: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Defined<T>
}
