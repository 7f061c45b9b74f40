import { DAY_MS } from '../../../lib/time/durations.ts'
import type { CalendarEvent, EventEnd, FeedTime } from '../events.ts'
import type { ProblemCounter } from '../problems.ts'
import { formatDate, startOfDay } from '../text/values.ts'
import { toInstant, toWall, type Zone } from '../zones/zone.ts'
import { expandRule, type RuleBudget } from './expand-rule.ts'
import { parseRule, type Rule } from './parse-rule.ts'

/** A start of a series, before changes to single occurrences are applied. */
export type SeriesStart = { wall: number; instant: number; end: EventEnd }

export type SeriesContext = {
  /** The zone of floating times and of whole days. */
  defaultZone: Zone
  /** Starts between these instants are listed. */
  from: number
  to: number
  problems: ProblemCounter
  budget: RuleBudget
}

/** The parts of a feed that have the same UID. */
export type EventGroup = {
  /** The single event or the series; null if the feed has only changes to a series. */
  main: CalendarEvent | null
  changes: readonly CalendarEvent[]
}

/** The starts of an event in a range, in no order: its rules and added dates, without the excluded ones. */
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
    // If a clock change skips a local time, two local times are the same instant.
    if (isInside && !starts.has(instant) && !isExcluded(wall, instant)) {
      starts.set(instant, { wall, instant, end })
    }
  }
  // Added dates come first, because their own end replaces the event's.
  for (const { start, end } of event.dates) {
    add(alignToSeries(start, event, zone), end.kind === 'none' ? event.end : end)
  }
  if (event.rules.length === 0) add(event.start.wall, event.end)
  for (const wall of listRuleTimes(event, 'rules', context)) add(wall, event.end)
  return [...starts.values()]
}

/**
 * The local time in the series that a RECURRENCE-ID, RDATE or EXDATE means. It may be a date without a time, or in a
 * zone other than the series.
 */
export function alignToSeries(time: FeedTime, { start }: CalendarEvent, zone: Zone): number {
  if (start.isDate) return findDay(time, zone)
  if (time.isDate) return time.wall + (start.wall - startOfDay(start.wall))
  if (time.zone === null || time.zone.name === zone.name) return time.wall
  return toWall(zone, toInstant(time.zone, time.wall))
}

/**
 * The day that a date or time means in a series of whole days. A time in UTC is an instant in the calendar's zone,
 * except midnight, which calendars write instead of a date.
 */
function findDay({ wall, zone: given }: FeedTime, zone: Zone): number {
  const isInstant = given?.name === 'UTC' && wall !== startOfDay(wall)
  return startOfDay(isInstant ? toWall(zone, wall) : wall)
}

/** The local times of all rules, with UNTIL applied. */
function listRuleTimes(
  event: CalendarEvent,
  kind: 'rules' | 'excludedRules',
  { from, to, defaultZone, problems, budget }: SeriesContext,
): number[] {
  const { start } = event
  const zone = start.zone ?? defaultZone
  const isExclusion = kind === 'excludedRules'
  // One more day on both sides, because the range is in instants.
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
    // A day occurs once, even if the rule has several times on it.
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
  // A date includes the whole day.
  const last = until.isDate ? until.wall + DAY_MS - 1 : until.wall
  return (wall) => wall <= last
}

export type Exclusion = (wall: number, instant: number) => boolean

/** An excluded date without a time excludes all occurrences on that day. */
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

/**
 * The end of an occurrence as an instant. `start` is the start of the event that has this `end`; the occurrence may be
 * a later one of the series. If the end is given as a time, all occurrences have exactly the same length. If it is a
 * duration, its days are local days (RFC 5545, sections 3.8.5.3 and 3.3.6).
 */
export function findEnd(
  occurrence: number,
  start: FeedTime,
  end: EventEnd,
  defaultZone: Zone,
): number {
  const zone = start.zone ?? defaultZone
  if (end.kind === 'duration') return addDays(zone, occurrence, end.days) + end.ms
  if (end.kind === 'none') return start.isDate ? addDays(zone, occurrence, 1) : occurrence
  if (start.isDate) {
    // Whole days have no time zone, so their length is counted in days.
    const days = Math.max(1, Math.round((end.time.wall - start.wall) / DAY_MS))
    return addDays(zone, occurrence, days)
  }
  const endInstant = toInstant(end.time.zone ?? zone, end.time.wall)
  return occurrence + Math.max(0, endInstant - toInstant(zone, start.wall))
}

function addDays(zone: Zone, instant: number, days: number): number {
  return days === 0 ? instant : toInstant(zone, toWall(zone, instant) + days * DAY_MS)
}

/** Groups events by UID. If there are several versions of an event, keeps the one that was modified last. */
export function groupEvents(events: readonly CalendarEvent[]): EventGroup[] {
  return Array.from(Map.groupBy(events, ({ uid }) => uid).values(), (versions): EventGroup => {
    const remaining = [...keepNewest(versions, versionKey).values()]
    return {
      main: remaining.find(({ recurrenceId }) => recurrenceId === null) ?? null,
      changes: remaining.filter(({ recurrenceId }) => recurrenceId !== null),
    }
  })
}

/** Returns one event per identity: the one that was modified last. */
export function keepNewest<Identity>(
  events: readonly CalendarEvent[],
  identify: (event: CalendarEvent) => Identity,
): Map<Identity, CalendarEvent> {
  const newest = new Map<Identity, CalendarEvent>()
  for (const event of events) {
    const identity = identify(event)
    const known = newest.get(identity)
    if (known === undefined || !isOlder(event, known)) newest.set(identity, event)
  }
  return newest
}

function versionKey({ recurrenceId }: CalendarEvent): string {
  if (recurrenceId === null) return 'main'
  if (recurrenceId.isDate) return formatDate(recurrenceId.wall)
  return `${recurrenceId.wall} ${recurrenceId.zone?.name ?? ''}`
}

/**
 * True if the other version replaced this one. The modification time decides before SEQUENCE, because some calendars
 * restart their sequence after an import. If both are equal, the later one in the feed is used.
 */
function isOlder(event: CalendarEvent, other: CalendarEvent): boolean {
  const difference = (event.lastModified?.getTime() ?? 0) - (other.lastModified?.getTime() ?? 0)
  return difference < 0 || (difference === 0 && event.sequence < other.sequence)
}
