import { DAY_MS } from '../../lib/time/durations.ts'
import type { CalendarEvent, EventEnd, FeedTime, Occurrence, OccurrenceWindow } from './events.ts'
import { createSharedLinks } from './links.ts'
import { FeedError, createProblemCounter, type ProblemCounter } from './problems.ts'
import { createRuleBudget, type RuleBudget } from './recurrence/expand-rule.ts'
import {
  groupEvents,
  keepNewest,
  type EventGroup,
  findEnd,
  alignToSeries,
  createExclusion,
  listStarts,
  type SeriesContext,
} from './recurrence/series.ts'
import { formatDate, formatInstant } from './text/values.ts'
import { createIanaZone, toInstant, toWall, type Zone } from './zones/zone.ts'

/** More than 100 meetings a day for the two planned weeks. Each one also costs the service work. */
const MAX_OCCURRENCES = 2_000
/** A calendar with more meetings is an attack or a mistake. */
const MAX_LISTED = 50_000
/** 100 per meeting. The service receives them in one message, which blocks it. */
const MAX_ATTENDEES = 200_000
/** How long before the window an occurrence may start that is still going on, or was moved into the window. */
const MAX_LOOK_BACK_MS = 31 * DAY_MS

type Listing = {
  from: number
  to: number
  defaultZone: Zone
  problems: ProblemCounter
  budget: RuleBudget
  listed: Listed[]
}

type Listed = Omit<Occurrence, 'links'> & { linkTexts: readonly string[] }

/** The occurrences of all events in a window, ordered by start, up to `MAX_OCCURRENCES`. */
export function listOccurrences(
  events: readonly CalendarEvent[],
  { from, to, defaultTimeZone }: OccurrenceWindow,
): { occurrences: Occurrence[]; problems: string[] } {
  const listing: Listing = {
    from: from.getTime(),
    to: to.getTime(),
    defaultZone: createIanaZone(defaultTimeZone),
    problems: createProblemCounter(),
    budget: createRuleBudget(),
    listed: [],
  }
  for (const group of groupEvents(events)) addGroup(group, listing)
  const listed = listing.listed.toSorted(
    (a, b) =>
      a.startsAt.getTime() - b.startsAt.getTime() ||
      compareTexts(a.uid, b.uid) ||
      compareTexts(a.key, b.key),
  )
  if (listed.length > MAX_OCCURRENCES) listing.problems.add('too_many_meetings')
  const findLinks = createSharedLinks()
  const occurrences = listed
    .slice(0, MAX_OCCURRENCES)
    .map(({ linkTexts, ...rest }): Occurrence => ({ ...rest, links: findLinks(linkTexts) }))
  // Occurrences of a series share their participants.
  const attendees = new Set(occurrences.map((occurrence) => occurrence.attendees))
  if (attendees.values().reduce((sum, { length }) => sum + length, 0) > MAX_ATTENDEES) {
    throw new FeedError('too_complex', 'The calendar has more than 200,000 participants.')
  }
  return { occurrences, problems: listing.problems.list() }
}

function addGroup({ main, changes }: EventGroup, listing: Listing): void {
  if (main === null) {
    // The calendar has only single occurrences of a series, for example those to which its owner is invited.
    const findKey = ({ recurrenceId, start }: CalendarEvent) =>
      keyOf(recurrenceId ?? start, listing.defaultZone)
    for (const [key, change] of keepNewest(changes, findKey)) {
      add(listing, { key, event: change, start: change.start, end: change.end })
    }
    return
  }
  const isRepeating = main.rules.length > 0 || main.dates.length > 0 || changes.length > 0
  if (!isRepeating) {
    if (isOnlyDateExcluded(main, listing)) return
    add(listing, { key: 'once', event: main, start: main.start, end: main.end })
    return
  }
  addSeries(main, changes, listing)
}

/** True if an event that does not repeat is removed by one of its own excluded dates. */
function isOnlyDateExcluded(event: CalendarEvent, listing: Listing): boolean {
  if (event.excludedDates.length === 0) return false
  const { wall, zone } = event.start
  const context = rangeOfStarts(event, [], listing)
  return createExclusion(event, context)(wall, toInstant(zone ?? listing.defaultZone, wall))
}

/** A change to a series, and the original start of the first occurrence that it changes. */
type SeriesChange = { wall: number; instant: number; event: CalendarEvent }

function addSeries(main: CalendarEvent, changes: readonly CalendarEvent[], listing: Listing): void {
  const zone = main.start.zone ?? listing.defaultZone
  const findWall = ({ recurrenceId, start }: CalendarEvent) =>
    alignToSeries(recurrenceId ?? start, main, zone)
  // Versions of one change may give its original start in different zones.
  const newest = keepNewest(changes, (event) => toInstant(zone, findWall(event)))
  const changeByOriginal = new Map(
    Array.from(newest, ([instant, event]): [number, SeriesChange] => [
      instant,
      { wall: findWall(event), instant, event },
    ]),
  )
  const laterChanges = [...changeByOriginal.values()]
    .filter(({ event }) => event.isThisAndFuture)
    .toSorted((a, b) => a.instant - b.instant)
  const toKey = (wall: number) => keyOf({ ...main.start, wall }, listing.defaultZone)

  const context = rangeOfStarts(main, laterChanges, listing)
  const isExcluded = createExclusion(main, context)
  for (const { wall, instant, end } of listStarts(main, isExcluded, context)) {
    if (changeByOriginal.has(instant)) continue
    const later = findLastBefore(laterChanges, instant)
    const key = toKey(wall)
    if (later === undefined) add(listing, { key, event: main, start: { ...main.start, wall }, end })
    else {
      const start = shiftStart(later, { wall, instant }, zone, listing.defaultZone)
      addChanged(listing, key, main, later.event, start)
    }
  }
  for (const { wall, instant, event } of changeByOriginal.values()) {
    // An excluded date removes the occurrence, even if the feed still contains its change.
    if (!isExcluded(wall, instant)) addChanged(listing, toKey(wall), main, event, event.start)
  }
}

/** The last change before an instant. Uses a search, because a series may have thousands of changes and starts. */
function findLastBefore(
  changes: readonly SeriesChange[],
  instant: number,
): SeriesChange | undefined {
  let [low, high] = [0, changes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((changes[middle]?.instant ?? Infinity) < instant) low = middle + 1
    else high = middle
  }
  return changes[low - 1]
}

function addChanged(
  listing: Listing,
  key: string,
  main: CalendarEvent,
  change: CalendarEvent,
  start: FeedTime,
): void {
  const isCancelled = main.isCancelled || change.isCancelled
  const event = { ...change, isCancelled, title: change.title || main.title }
  add(listing, { key, event, start, end: change.end })
}

/**
 * The start of an occurrence after a change to all later ones: its local time moves as far as the first one's did. A
 * time that a clock change skips can only be moved in the zone of the series.
 */
function shiftStart(
  first: SeriesChange,
  original: { wall: number; instant: number },
  zone: Zone,
  defaultZone: Zone,
): FeedTime {
  const { start } = first.event
  const newZone = start.zone ?? defaultZone
  const toNewWall = (time: { wall: number; instant: number }) =>
    newZone.name === zone.name ? time.wall : toWall(newZone, time.instant)
  return { ...start, wall: toNewWall(original) + start.wall - toNewWall(first) }
}

function rangeOfStarts(
  main: CalendarEvent,
  laterChanges: readonly SeriesChange[],
  { from, to, ...listing }: Listing,
): SeriesContext {
  const { defaultZone } = listing
  const start = toInstant(main.start.zone ?? defaultZone, main.start.wall)
  const lengths = [main.end, ...main.dates.map(({ end }) => end)].map(
    (end) => findEnd(start, main.start, end, defaultZone) - start,
  )
  const hasShift = laterChanges.length > 0
  const longest = lengths.reduce((a, b) => Math.max(a, b), 0)
  const lookBack = hasShift ? MAX_LOOK_BACK_MS : Math.min(longest, MAX_LOOK_BACK_MS)
  return { ...listing, from: from - lookBack, to: hasShift ? to + lookBack : to }
}

type Candidate = { key: string; event: CalendarEvent; start: FeedTime; end: EventEnd }

/** Adds an occurrence if it is in the window. */
function add(listing: Listing, { key, event, start, end }: Candidate): void {
  const { defaultZone, from, to, listed } = listing
  const startsAt = toInstant(start.zone ?? defaultZone, start.wall)
  const endsAt = findEnd(startsAt, event.start, end, defaultZone)
  if (startsAt >= to || (endsAt <= from && startsAt < from)) return
  listed.push({
    uid: event.uid,
    key,
    startsAt: new Date(startsAt),
    endsAt: new Date(endsAt),
    isAllDay: start.isDate,
    title: event.title,
    organizer: event.organizer,
    attendees: event.attendees,
    linkTexts: event.linkTexts,
    isCancelled: event.isCancelled,
    sequence: event.sequence,
    ...(event.isPrivate && { isPrivate: true }),
  })
  if (listed.length > MAX_LISTED) {
    throw new FeedError('too_complex', 'The calendar has more than 50,000 meetings in two weeks.')
  }
}

function keyOf(time: FeedTime, defaultZone: Zone): string {
  if (time.isDate) return formatDate(time.wall)
  return formatInstant(toInstant(time.zone ?? defaultZone, time.wall))
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
