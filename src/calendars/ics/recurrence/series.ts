import { DAY_MS } from '../../../lib/time/durations.ts'
import type { CalendarEvent, EventEnd, FeedTime } from '../events.ts'
import type { ProblemCounter } from '../problems.ts'
import { formatDate, startOfDay } from '../text/values.ts'
import { toInstant, toWall, type Zone } from '../zones/zone.ts'
import { expandRule, type RuleBudget } from './expand-rule.ts'
import { parseRule, type Rule } from './parse-rule.ts'

/** One start of a series, before changes to single occurrences are applied. */
export type SeriesStart = { wall: number; instant: number; end: EventEnd }

export type SeriesContext = {
  /** The zone of floating times and of whole days. */
  defaultZone: Zone
  /** The instants between which starts are listed. */
  from: number
  to: number
  problems: ProblemCounter
  budget: RuleBudget
}

/** The starts of an event in a range: its rules and added dates without the excluded ones, in no order. */
export function listStarts(
  event: CalendarEvent,
  isExcluded: Exclusion,
  context: SeriesContext,
): SeriesStart[] {
  const zone = event.start.zone ?? context.defaultZone
  const starts = new Map<number, SeriesStart>()
  const add = (wall: number, end: EventEnd) => {
    const instant = toInstant(zone, wall)
    const isInside = instant >= context.from && instant <= context.to
    // Two times on the clock are one instant when a clock change skips one of them.
    if (isInside && !starts.has(instant) && !isExcluded(wall, instant)) {
      starts.set(instant, { wall, instant, end })
    }
  }
  // An added date comes first, because its own end replaces that of the event.
  for (const { start, end } of event.dates) {
    add(alignToSeries(start, event, zone), end.kind === 'none' ? event.end : end)
  }
  if (event.rules.length === 0) add(event.start.wall, event.end)
  for (const wall of listRuleTimes(event, 'rules', context)) add(wall, event.end)
  return [...starts.values()]
}

/**
 * The time on the clock of the series that a RECURRENCE-ID, RDATE or EXDATE means. It may be a date without time, or in
 * another zone than the series.
 */
export function alignToSeries(time: FeedTime, { start }: CalendarEvent, zone: Zone): number {
  if (start.isDate) return findDay(time, zone)
  if (time.isDate) return time.wall + (start.wall - startOfDay(start.wall))
  if (time.zone === null || time.zone.name === zone.name) return time.wall
  return toWall(zone, toInstant(time.zone, time.wall))
}

/**
 * The day of a series of whole days that a date or time means. A time in UTC is an instant in the zone of the calendar,
 * except midnight, which calendars write instead of a date.
 */
function findDay({ wall, zone: given }: FeedTime, zone: Zone): number {
  const isInstant = given?.name === 'UTC' && wall !== startOfDay(wall)
  return startOfDay(isInstant ? toWall(zone, wall) : wall)
}

/** The times of all rules on the clock, with UNTIL applied. */
function listRuleTimes(
  event: CalendarEvent,
  kind: 'rules' | 'excludedRules',
  { from, to, defaultZone, problems, budget }: SeriesContext,
): number[] {
  const { start } = event
  const zone = start.zone ?? defaultZone
  const isExclusion = kind === 'excludedRules'
  // A day more on both sides, because the range is in instants.
  const [fromWall, toWall] = [from - DAY_MS, to + DAY_MS]
  return event[kind].flatMap((text) => {
    const rule = parseRule(text)
    if (rule === null) {
      problems.add(isExclusion ? 'unreadable_exclusion' : 'unreadable_rule')
      return isExclusion ? [] : [start.wall]
    }
    const isWithinUntil = createUntilCheck(rule, start, zone, defaultZone)
    // Most series in a feed ended long ago.
    if (!isWithinUntil(Math.max(fromWall - DAY_MS, start.wall))) return []
    const range = { start: start.wall, from: fromWall, to: toWall, isExclusion }
    const { times, problem } = expandRule(rule, range, budget)
    if (problem !== null) problems.add(isExclusion ? 'unreadable_exclusion' : problem)
    // A day occurs once, also when the rule has several times on it.
    const starts = start.isDate ? times.map(startOfDay) : times
    return starts.filter(isWithinUntil)
  })
}

function createUntilCheck(
  { until }: Rule,
  start: FeedTime,
  zone: Zone,
  defaultZone: Zone,
): (wall: number) => boolean {
  if (until === null) return () => true
  if (start.isDate) {
    const last = startOfDay(until.isUtc ? toWall(defaultZone, until.wall) : until.wall)
    return (wall) => wall <= last
  }
  if (until.isUtc) return (wall) => toInstant(zone, wall) <= until.wall
  // A date includes that whole day.
  const last = until.isDate ? until.wall + DAY_MS - 1 : until.wall
  return (wall) => wall <= last
}

/** Whether a start of a series is excluded. */
export type Exclusion = (wall: number, instant: number) => boolean

/** An excluded date without a time excludes all occurrences of that day. */
export function createExclusion(event: CalendarEvent, context: SeriesContext): Exclusion {
  const { excludedDates, start } = event
  const zone = start.zone ?? context.defaultZone
  const walls = new Set(listRuleTimes(event, 'excludedRules', context))
  const dates = new Set<string>()
  const instants = new Set<number>()
  for (const time of excludedDates) {
    if (time.isDate || start.isDate) dates.add(formatDate(findDay(time, zone)))
    else instants.add(toInstant(time.zone ?? zone, time.wall))
  }
  return (wall, instant) =>
    instants.has(instant) || walls.has(wall) || (dates.size > 0 && dates.has(formatDate(wall)))
}
