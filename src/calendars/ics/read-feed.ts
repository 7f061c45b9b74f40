import type { Occurrence, OccurrenceWindow } from './events.ts'
import { listOccurrences } from './occurrences.ts'
import { parseFeed } from './parse-feed.ts'

export type ReadFeed = {
  occurrences: Occurrence[]
  /** How many events the feed has, also outside the window. An empty calendar has 0. */
  eventCount: number
  name: string | null
  /** The zone that the feed names for itself. */
  timeZone: string | null
  /** Sentences about what could not be read. They contain no titles, addresses or links. */
  problems: string[]
}

/** Parses a feed and lists its occurrences in a window. Blocks; the service calls `createFeedReader` instead. */
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
