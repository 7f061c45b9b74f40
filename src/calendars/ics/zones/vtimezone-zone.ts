import { DAY_MS } from '../../../lib/time/durations.ts'
import type { ProblemCounter } from '../problems.ts'
import { createRuleBudget, expandRule } from '../recurrence/expand-rule.ts'
import { countTimesPerDay, parseRule, type Rule } from '../recurrence/parse-rule.ts'
import type { Component } from '../text/content-lines.ts'
import { parseUtcOffset, parseWallTime } from '../text/values.ts'
import type { Zone } from './zone.ts'

/** Clock changes are computed for these years. Before and after, the nearest offset is used. */
const FIRST_CHANGE = Date.UTC(1970, 0)
const LAST_CHANGE = Date.UTC(2100, 0)
/** More than the history of any real zone. */
const MAX_PARTS = 200

type Change = { at: number; offsetBefore: number; offset: number }

/** How many rules the zones of a feed may have together. Each one takes some milliseconds. */
const MAX_RULES = 1_000

export type ZoneBudget = { rules: number }

export function createZoneBudget(): ZoneBudget {
  return { rules: MAX_RULES }
}

/** The zone that a VTIMEZONE describes; null if it is invalid or the budget is used up. */
export function createVtimezoneZone(
  component: Component,
  name: string,
  budget: ZoneBudget,
  problems: ProblemCounter,
): Zone | null {
  const parts = component.children.slice(0, MAX_PARTS)
  budget.rules -= parts.flatMap(({ properties }) => properties.get('RRULE') ?? []).length
  if (budget.rules < 0) return null
  const changes = parts
    .flatMap((part) => {
      const listed = listChanges(part)
      if (!listed.isComplete) problems.add('unreadable_clock_change')
      return listed.changes
    })
    .toSorted((a, b) => a.at - b.at)
  const [first] = changes
  if (first === undefined) return null
  return {
    name,
    offsetAt(instant) {
      let [low, high] = [0, changes.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (instant < (changes[middle]?.at ?? Infinity)) high = middle
        else low = middle + 1
      }
      return changes[low - 1]?.offset ?? first.offsetBefore
    },
  }
}

/** When clocks change to the offset of a STANDARD or DAYLIGHT part. */
function listChanges({ properties }: Component): { changes: Change[]; isComplete: boolean } {
  const read = (name: string) => properties.get(name)?.[0]?.value ?? ''
  const start = parseWallTime(read('DTSTART'))
  const offsetBefore = parseUtcOffset(read('TZOFFSETFROM'))
  const offset = parseUtcOffset(read('TZOFFSETTO'))
  if (start === null || offsetBefore === null || offset === null) {
    return { changes: [], isComplete: false }
  }
  const list = (name: string) =>
    (properties.get(name) ?? []).map(({ value }) => value.trim()).filter(Boolean)
  const dates = list('RDATE')
    .flatMap((value) => value.split(','))
    .map((value) => parseWallTime(value)?.wall ?? null)
  const repeated = list('RRULE').map((rule) => listRepeated(rule, start.wall, offsetBefore))
  // The time of a change is in the local time before it.
  const walls = new Set([start.wall, ...dates, ...repeated.flat()])
  return {
    changes: [...walls]
      .filter((wall) => wall !== null)
      .map((wall) => ({ at: wall - offsetBefore, offsetBefore, offset })),
    isComplete: !walls.has(null),
  }
}

/** The times of a rule, or null in the list if it cannot be read. */
function listRepeated(text: string, start: number, offsetBefore: number): Array<number | null> {
  const rule = parseRule(text)
  if (rule === null || !isYearlyDate(rule)) return [null]
  const { until } = rule
  const end = until === null ? LAST_CHANGE : until.wall + (until.isDate ? DAY_MS - 1 : 0)
  const lastWall = until?.isUtc === true ? end + offsetBefore : end
  // Exchange starts its rules in 1601, long before any that a meeting needs.
  const yearly = moveToFirstChange(start)
  const last = Math.min(lastWall, LAST_CHANGE)
  const { times, problem } = expandRule(
    rule,
    { start: yearly, from: FIRST_CHANGE, to: last },
    createRuleBudget(),
  )
  return problem === null ? times : [null]
}

/**
 * True if a rule has one date a year, or some days in one month. Clocks do not change more often, and a rule with a
 * time for every hour of 130 years would take minutes.
 */
function isYearlyDate(rule: Rule): boolean {
  const { BYMONTH, BYMONTHDAY, BYYEARDAY, BYWEEKNO } = rule.lists
  if (rule.frequency !== 'YEARLY' || countTimesPerDay(rule) > 1) return false
  if (BYYEARDAY !== undefined || BYWEEKNO !== undefined) return false
  const hasDays = BYMONTHDAY !== undefined || rule.weekdays !== null
  return BYMONTH === undefined ? !hasDays : BYMONTH.length === 1
}

/** A start with the same date and time of day, at most four years before the first change that is needed. */
function moveToFirstChange(start: number): number {
  const date = new Date(start)
  const year = 1966 + (date.getUTCFullYear() % 4)
  return date.getUTCFullYear() < 1966 ? date.setUTCFullYear(year) : start
}
