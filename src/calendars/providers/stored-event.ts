import { createIanaZone, toInstant } from '../ics/zones/zone.ts'
import type { EventAttendee, Occurrence, OccurrenceWindow, OwnResponse } from '../ics/events.ts'

/** An instant in ISO 8601, or a whole day such as `2026-11-17`. */
export type EventTime = { at: string } | { date: string }

/**
 * An event as a provider last reported it, with storable texts. A field that an occurrence lacks is that of its series.
 */
export type StoredEvent = {
  id: string
  /** The event that an occurrence repeats. Null for a single event or a series. */
  seriesId: string | null
  /** True for the series itself, which is not an occurrence. */
  isSeries: boolean
  /** The same for all occurrences of a series, and in the calendars of all attendees. */
  uid?: string
  /** The start before the occurrence was moved. Absent if it is the start. */
  originalStart?: EventTime
  start?: EventTime
  end?: EventTime
  title?: string
  organizer?: string | null
  attendees?: EventAttendee[]
  ownResponse?: OwnResponse | null
  isPrivate?: boolean
  isCancelled?: boolean
  joinUrl?: string | null
  /** Links in its texts. */
  links?: string[]
}

/** What a read of a calendar found. `replacesAll`: it was a full read, and `changed` is everything. */
export type EventChanges = {
  replacesAll: boolean
  changed: readonly StoredEvent[]
  /** Ids of events that were deleted. The occurrences of a deleted series are deleted too. */
  removedIds: readonly string[]
}

/** The stored events after the changes. */
export function applyChanges(
  stored: readonly StoredEvent[],
  { replacesAll, changed, removedIds }: EventChanges,
): StoredEvent[] {
  const removed = new Set(removedIds)
  const kept = replacesAll ? [] : stored.filter((event) => !isRemoved(event, removed))
  const byId = new Map(kept.map((event) => [event.id, event]))
  for (const event of changed) byId.set(event.id, event)
  return [...byId.values()]
}

function isRemoved({ id, seriesId }: StoredEvent, removed: ReadonlySet<string>): boolean {
  return removed.has(id) || (seriesId !== null && removed.has(seriesId))
}

/** The occurrences in the window, the earliest first. */
export function toOccurrences(
  events: readonly StoredEvent[],
  { from, to, defaultTimeZone }: OccurrenceWindow,
): Occurrence[] {
  const zone = createIanaZone(defaultTimeZone)
  const series = new Map(events.flatMap((event) => (event.isSeries ? [[event.id, event]] : [])))
  const toDate = (time: EventTime) =>
    new Date('at' in time ? time.at : toInstant(zone, Date.parse(`${time.date}T00:00:00Z`)))
  return events
    .flatMap((event): Occurrence[] => {
      if (event.isSeries) return []
      const whole = { ...(event.seriesId && series.get(event.seriesId)), ...event }
      // The times of a series are those of its first occurrence.
      const { start } = event
      if (start === undefined) return []
      const startsAt = toDate(start)
      const endsAt = event.end === undefined ? startsAt : toDate(event.end)
      if (startsAt >= to || (endsAt <= from && startsAt < from)) return []
      return [toOccurrence(whole, { start, startsAt, endsAt })]
    })
    .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
}

function toOccurrence(
  event: StoredEvent,
  { start, ...times }: { start: EventTime; startsAt: Date; endsAt: Date },
): Occurrence {
  const { joinUrl = null, links = [], isPrivate = false, ownResponse = null } = event
  const original = event.originalStart ?? start
  return {
    uid: event.uid ?? event.seriesId ?? event.id,
    key: event.seriesId === null ? 'once' : 'at' in original ? shorten(original.at) : original.date,
    ...times,
    isAllDay: 'date' in start,
    title: event.title ?? '',
    organizer: event.organizer ?? null,
    attendees: event.attendees ?? [],
    // The provider's own field is the meeting, whatever is in the texts.
    links: joinUrl === null ? links : [joinUrl, ...links],
    isCancelled: event.isCancelled ?? false,
    sequence: 0,
    ...(isPrivate && { isPrivate: true }),
    ...(ownResponse !== null && { ownResponse }),
    ...(joinUrl !== null && { joinUrl }),
  }
}

/** As in keys of other calendars: `2026-11-17T09:00:00Z`. */
function shorten(instant: string): string {
  return instant.replace('.000Z', 'Z')
}
