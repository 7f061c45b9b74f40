import type { CalendarEvent } from './events.ts'

export type ParsedFeed = {
  events: CalendarEvent[]
  /** X-WR-CALNAME, the name that the owner gave to the calendar. */
  name: string | null
  /** X-WR-TIMEZONE as an IANA name, if it is one. */
  timeZone: string | null
  /** Sentences about what could not be read. They contain no titles, addresses or links. */
  problems: string[]
}

/** Reads the events of an iCalendar feed. Throws a FeedError when it is not a complete calendar. */
export function parseFeed(_content: Uint8Array | string): ParsedFeed {
  throw new Error('not written yet')
}
