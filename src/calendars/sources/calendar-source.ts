import type { CalendarKind } from '../calendar.ts'
import type { Occurrence, OccurrenceWindow } from '../ics/events.ts'

/** What a source needs to read a calendar, and what it remembers from the last time. */
export type SourceState = {
  /** The secret address. */
  url: string
  etag: string | null
  lastModified: string | null
}

/** Sentences for people, without the address and without any text of the calendar. */
export type PollFailure = {
  kind: 'failed'
  problem: string
  /** How long the server asks to wait. */
  retryAfterMs: number | null
}

export type PollContent = {
  kind: 'changed'
  occurrences: readonly Occurrence[]
  /** How many events the calendar has at all, also outside the window. */
  eventCount: number
  /** What could not be understood. */
  problems: readonly string[]
  state: Pick<SourceState, 'etag' | 'lastModified'>
}

export type PollResult = { kind: 'unchanged' } | PollContent | PollFailure

/** Where the events of a calendar come from. Another kind of source is another row of `CalendarSources`. */
export interface CalendarSource {
  readonly kind: CalendarKind
  /** Rejects only when the signal aborts, or because of a bug. */
  poll(state: SourceState, window: OccurrenceWindow, signal: AbortSignal): Promise<PollResult>
}

export type CalendarSources = Readonly<Record<CalendarKind, CalendarSource>>
