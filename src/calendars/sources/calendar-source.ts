import type { CalendarKind } from '../calendar.ts'
import type { Occurrence, OccurrenceWindow } from '../ics/events.ts'
import type { FeedReader } from '../ics/feed-reader.ts'
import { FeedError } from '../ics/problems.ts'
import type { FetchFeed } from './fetch-feed.ts'

/** What a source needs to read a calendar, and what it stored last time. */
export type SourceState = {
  /** The secret address. */
  url: string
  etag: string | null
  lastModified: string | null
}

/** Sentences for people, without the address and without text from the calendar. */
export type PollFailure = {
  kind: 'failed'
  problem: string
  /** How long the server asks to wait. */
  retryAfterMs: number | null
}

export type PollContent = {
  kind: 'changed'
  occurrences: readonly Occurrence[]
  /** How many events the calendar has in total, including those outside the window. */
  eventCount: number
  /** What could not be read. */
  problems: readonly string[]
  state: Pick<SourceState, 'etag' | 'lastModified'>
}

export type PollResult = { kind: 'unchanged' } | PollContent | PollFailure

/** A source of calendar events. Each kind has a row in `CalendarSources`. */
export interface CalendarSource {
  readonly kind: CalendarKind
  /** Rejects only if the signal aborts or there is a bug. */
  poll(state: SourceState, window: OccurrenceWindow, signal: AbortSignal): Promise<PollResult>
}

export type CalendarSources = Readonly<Record<CalendarKind, CalendarSource>>

type Parts = { fetchFeed: FetchFeed; reader: Pick<FeedReader, 'read'> }

/** An iCalendar feed with a secret address, as every calendar program publishes it. */
export function createIcsSource({ fetchFeed, reader }: Parts): CalendarSource {
  return {
    kind: 'ics',
    async poll(state, window, signal) {
      const fetched = await fetchFeed(state, signal)
      if (fetched.kind !== 'content') return fetched
      const { etag, lastModified } = fetched
      try {
        const { occurrences, eventCount, problems } = await reader.read(fetched.content, window)
        const next = { etag, lastModified }
        return { kind: 'changed', occurrences, eventCount, problems, state: next }
      } catch (error) {
        if (!(error instanceof FeedError)) throw error
        return { kind: 'failed', problem: error.message, retryAfterMs: null }
      }
    },
  }
}
