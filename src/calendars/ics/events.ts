import type { Zone } from './zones/zone.ts'

export type AttendeeResponse = 'accepted' | 'declined' | 'tentative' | 'needs_action'

/** The address is in lower case and has no `mailto:`. */
export type EventAttendee = { address: string; response: AttendeeResponse | null }

/** A date or a time as the feed writes it. */
export type FeedTime = {
  /** The date and time on the clock, in milliseconds as if it were UTC. */
  wall: number
  /** Whether the feed gives a date without a time. `wall` is then midnight. */
  isDate: boolean
  /** The zone of the clock. Null for a floating time, which is a time in the calendar's own zone. */
  zone: Zone | null
}

/** The end of an event: a time, or how long it takes. A day has no fixed length, so days are counted apart. */
export type EventEnd =
  | { kind: 'time'; time: FeedTime }
  | { kind: 'duration'; days: number; ms: number }
  | { kind: 'none' }

export type RecurrenceDate = { start: FeedTime; end: EventEnd }

/** One VEVENT of a feed: a single event, a series, or the changed part of a series. */
export type CalendarEvent = {
  uid: string
  sequence: number
  /** LAST-MODIFIED, or DTSTAMP, which means the same in a feed. */
  lastModified: Date | null
  /** The original start of the occurrence that this event changes. Null for a single event or a whole series. */
  recurrenceId: FeedTime | null
  /** Whether the change is for all later occurrences too. */
  isThisAndFuture: boolean
  isCancelled: boolean
  title: string
  organizer: string | null
  attendees: readonly EventAttendee[]
  /** Texts in which a meeting link may be, the most specific first. */
  linkTexts: readonly string[]
  start: FeedTime
  end: EventEnd
  /** The values of RRULE and EXRULE, not parsed yet. */
  rules: readonly string[]
  excludedRules: readonly string[]
  dates: readonly RecurrenceDate[]
  excludedDates: readonly FeedTime[]
}

/** One meeting in the calendar. Plain data that can be sent between threads. */
export type Occurrence = {
  uid: string
  /**
   * Identifies the occurrence within its event, and stays when it is moved: the original start
   * (`2026-11-17T09:00:00Z`, or `2026-11-17` for a whole day), or `once` when the event does not repeat.
   */
  key: string
  startsAt: Date
  /** Equal to `startsAt` when the feed names no end. */
  endsAt: Date
  isAllDay: boolean
  title: string
  /** The address in lower case. */
  organizer: string | null
  attendees: readonly EventAttendee[]
  /** Links that may lead to the meeting, the most specific first, for `findMeetingLink`. */
  links: readonly string[]
  isCancelled: boolean
  sequence: number
}

/** The days that are planned, and the zone for times without one. */
export type OccurrenceWindow = {
  /** Occurrences that end before this time are left out. */
  from: Date
  /** Occurrences that start at this time or later are left out. */
  to: Date
  /** An IANA name. Used for floating times and whole days when the feed names no zone of its own. */
  defaultTimeZone: string
}
