import type { Zone } from './zones/zone.ts'

export type AttendeeResponse = 'accepted' | 'declined' | 'tentative' | 'needs_action'

/** What the person of a calendar answered, or `organizer`. */
export type OwnResponse = AttendeeResponse | 'organizer'

/** The address is in lower case, without `mailto:`. */
export type EventAttendee = {
  address: string
  /** As the calendar shows it; absent if it only has the address. */
  name?: string
  response: AttendeeResponse | null
  /** Only present for a room, a resource or a group. */
  isPerson?: false
}

/** A date or a time as the feed writes it. */
export type FeedTime = {
  /** The local date and time, in milliseconds as if it were UTC. */
  wall: number
  /** True if the feed gives a date without a time. `wall` is then midnight. */
  isDate: boolean
  /** The zone of the local time. Null for a floating time, which is in the calendar's own zone. */
  zone: Zone | null
}

/** The end of an event: a time, or a duration. A day has no fixed length, so days are separate. */
export type EventEnd =
  | { kind: 'time'; time: FeedTime }
  | { kind: 'duration'; days: number; ms: number }
  | { kind: 'none' }

export type RecurrenceDate = { start: FeedTime; end: EventEnd }

/** A VEVENT of a feed: a single event, a series, or a change to a series. */
export type CalendarEvent = {
  uid: string
  sequence: number
  /** LAST-MODIFIED or DTSTAMP, which mean the same in a feed. */
  lastModified: Date | null
  /** The original start of the occurrence that this event changes. Null for a single event or a whole series. */
  recurrenceId: FeedTime | null
  /** True if the change also applies to all later occurrences. */
  isThisAndFuture: boolean
  isCancelled: boolean
  /** Only present if the event is marked as private or confidential. */
  isPrivate?: true
  title: string
  organizer: string | null
  attendees: readonly EventAttendee[]
  /** Texts that may contain a meeting link, most specific first. */
  linkTexts: readonly string[]
  start: FeedTime
  end: EventEnd
  /** The values of RRULE and EXRULE, not parsed yet. */
  rules: readonly string[]
  excludedRules: readonly string[]
  dates: readonly RecurrenceDate[]
  excludedDates: readonly FeedTime[]
}

/** A meeting in the calendar. Plain data, so that it can be sent between threads. */
export type Occurrence = {
  uid: string
  /**
   * Identifies the occurrence within its event, even if it is moved: the original start (`2026-11-17T09:00:00Z`, or
   * `2026-11-17` for a whole day), or `once` if the event does not repeat.
   */
  key: string
  startsAt: Date
  /** Equal to `startsAt` if the feed gives no end. */
  endsAt: Date
  isAllDay: boolean
  title: string
  /** The address in lower case. */
  organizer: string | null
  attendees: readonly EventAttendee[]
  /** Links that may lead to the meeting, most specific first. For `findMeetingLink`. */
  links: readonly string[]
  isCancelled: boolean
  sequence: number
  /** Only present if the event is marked as private or confidential. */
  isPrivate?: true
  /** From a provider that reports it. Otherwise the attendee with the person's address has the response. */
  ownResponse?: OwnResponse
  /** The link of the online meeting, from a provider that reports it. */
  joinUrl?: string
}

/** The planned days, and the zone for times without one. */
export type OccurrenceWindow = {
  /** Occurrences that end before this time are left out. */
  from: Date
  /** Occurrences that start at this time or later are left out. */
  to: Date
  /** An IANA name. Used for floating times and whole days if the feed has no zone of its own. */
  defaultTimeZone: string
}
