import type { CalendarKind, CalendarProviderName } from '../calendar.ts'
import type { Occurrence, OccurrenceWindow } from '../ics/events.ts'
import type { FeedReader } from '../ics/feed-reader.ts'
import { FeedError } from '../ics/problems.ts'
import type { EventChanges } from '../providers/stored-event.ts'
import type { FetchFeed } from './fetch-feed.ts'

/** What is needed to read a feed, and what was stored last time. */
export type FeedState = {
  /** The secret address. */
  url: string
  etag: string | null
  lastModified: string | null
}

/** What is needed to read a calendar with the API of a provider, and what was stored last time. */
export type ProviderState = {
  accountId: string
  providerCalendarId: string
  /** Null for a preview of a calendar that is not stored, which is read in full. */
  calendarId: string | null
  /** Where the changes since the last read begin. Null for a full read. */
  cursor: string | null
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
  /**
   * How many events the calendar has in total, including those outside the window. Null if the source is believed even
   * when it reports none.
   */
  eventCount: number | null
  /** What could not be read. */
  problems: readonly string[]
  state: Pick<FeedState, 'etag' | 'lastModified'> & Pick<ProviderState, 'cursor'>
  /** True if everything was read, so that the planned days move forward. */
  isFull: boolean
  /** What is stored besides the plan; null for a feed. */
  events: EventChanges | null
}

/** `cursor`: where the next changes begin, if the source has said so. */
export type PollResult = { kind: 'unchanged'; cursor?: string } | PollContent | PollFailure

/** A source of calendar events. Each kind has a row in `CalendarSources`. */
export interface CalendarSource<State> {
  /** Rejects only if the signal aborts or there is a bug. */
  poll(state: State, window: OccurrenceWindow, signal: AbortSignal): Promise<PollResult>
}

export type CalendarSources = Readonly<
  Record<Exclude<CalendarKind, CalendarProviderName>, CalendarSource<FeedState>> &
    Record<CalendarProviderName, CalendarSource<ProviderState>>
>

/** A calendar with the state of its kind. */
export type PolledCalendar =
  | { kind: 'ics'; state: FeedState }
  | { kind: CalendarProviderName; state: ProviderState }

export function pollCalendar(
  sources: CalendarSources,
  calendar: PolledCalendar,
  window: OccurrenceWindow,
  signal: AbortSignal,
): Promise<PollResult> {
  return calendar.kind === 'ics'
    ? sources.ics.poll(calendar.state, window, signal)
    : sources[calendar.kind].poll(calendar.state, window, signal)
}

type Parts = { fetchFeed: FetchFeed; reader: Pick<FeedReader, 'read'> }

/** An iCalendar feed with a secret address, as every calendar program publishes it. */
export function createIcsSource({ fetchFeed, reader }: Parts): CalendarSource<FeedState> {
  return {
    async poll(state, window, signal) {
      const fetched = await fetchFeed(state, signal)
      if (fetched.kind !== 'content') return fetched
      const { etag, lastModified } = fetched
      try {
        const { occurrences, eventCount, problems } = await reader.read(fetched.content, window)
        const next = { etag, lastModified, cursor: null }
        const content = { occurrences, eventCount, problems, state: next }
        return { kind: 'changed', ...content, isFull: true, events: null }
      } catch (error) {
        if (!(error instanceof FeedError)) throw error
        return { kind: 'failed', problem: error.message, retryAfterMs: null }
      }
    },
  }
}
