import { toPlainLine } from '../../lib/text/plain-text.ts'
import type { Occurrence, OccurrenceWindow, CalendarEvent } from './events.ts'
import { listOccurrences } from './occurrences.ts'
import { FeedError, createProblemCounter, type ProblemCounter } from './problems.ts'
import { readComponents, normalizeLines, unfold } from './text/content-lines.ts'
import { parseEvent } from './text/parse-event.ts'
import { unescapeText } from './text/values.ts'
import { createFeedZones, findIanaName } from './zones/feed-zones.ts'

export type ReadFeed = {
  occurrences: Occurrence[]
  /** How many events the feed has, including those outside the window. 0 for an empty calendar. */
  eventCount: number
  name: string | null
  /** The zone that the feed gives for itself. */
  timeZone: string | null
  /** Sentences about what could not be read. They contain no titles, addresses or links. */
  problems: string[]
}

type ParsedFeed = {
  events: CalendarEvent[]
  /** X-WR-CALNAME, the owner's name for the calendar. */
  name: string | null
  /** X-WR-TIMEZONE as an IANA name, if it is one. */
  timeZone: string | null
  /** Sentences about what could not be read. They contain no titles, addresses or links. */
  problems: string[]
}

export const MAX_FEED_BYTES = 25 * 1024 * 1024
const MAX_FEED_EVENTS = 100_000
const MAX_NAME_LENGTH = 200

/** Parses a feed and lists its occurrences in a window. Blocks, so the service uses `createFeedReader` instead. */
export function readFeed(content: Uint8Array | string, window: OccurrenceWindow): ReadFeed {
  const { events, name, timeZone, problems } = parseFeed(content)
  const defaultTimeZone = timeZone ?? window.defaultTimeZone
  const listed = listOccurrences(events, { ...window, defaultTimeZone })
  return {
    occurrences: listed.occurrences,
    eventCount: events.length,
    name,
    timeZone,
    problems: [...problems, ...listed.problems],
  }
}

/** Reads the events of an iCalendar feed. Throws a `FeedError` if it is not a complete calendar. */
export function parseFeed(content: Uint8Array | string): ParsedFeed {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  if (bytes.length > MAX_FEED_BYTES) {
    throw new FeedError('too_large', 'The calendar has more than 25 MB.')
  }
  const problems = createProblemCounter()
  const text = decode(unfold(normalizeLines(bytes)), problems)
  const calendars = readComponents(text, () => problems.add('unreadable_line'))
  const parts = calendars.flatMap(({ children }) => children)
  const zones = createFeedZones(
    parts.filter(({ name }) => name === 'VTIMEZONE'),
    problems,
  )
  const events: CalendarEvent[] = []
  for (const { name } of parts) if (name === 'VPOLL') problems.add('poll')
  const eventCount = parts.filter(({ name }) => name === 'VEVENT').length
  if (eventCount > MAX_FEED_EVENTS) {
    throw new FeedError('too_large', 'The calendar has more than 100,000 events.')
  }
  for (const { children, properties } of calendars) {
    const isCancelled = properties.get('METHOD')?.[0]?.value.trim().toUpperCase() === 'CANCEL'
    for (const component of children) {
      if (component.name !== 'VEVENT') continue
      const event = parseEvent(component, { zones, problems, isCancelled })
      if (event !== null) events.push(event)
    }
  }
  if (events.length === 0 && eventCount > 0) {
    throw new FeedError(
      'no_readable_event',
      'The calendar has events, but none of them has a start that can be read.',
    )
  }
  const readHeader = (property: string) =>
    calendars
      .map(({ properties }) => properties.get(property)?.[0]?.value)
      .find((value) => value !== undefined)
  const name = toPlainLine(unescapeText(readHeader('X-WR-CALNAME') ?? ''), MAX_NAME_LENGTH)
  return {
    events,
    name: name === '' ? null : name,
    timeZone: findIanaName((readHeader('X-WR-TIMEZONE') ?? '').trim()),
    problems: problems.list(),
  }
}

function decode(bytes: Uint8Array, problems: ProblemCounter): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    problems.add('invalid_characters')
    return new TextDecoder('utf-8').decode(bytes)
  }
}
