import type { CalendarEvent } from '../events.ts'
import { formatDate } from '../text/values.ts'

/** The parts of a feed with the same UID. */
export type EventGroup = {
  /** The single event or the series; null when the feed has only changes of a series. */
  main: CalendarEvent | null
  changes: readonly CalendarEvent[]
}

/** Groups events by UID. Of several versions of one event, the one that was modified last remains. */
export function groupEvents(events: readonly CalendarEvent[]): EventGroup[] {
  return Array.from(Map.groupBy(events, ({ uid }) => uid).values(), (versions): EventGroup => {
    const remaining = [...keepNewest(versions, versionKey).values()]
    return {
      main: remaining.find(({ recurrenceId }) => recurrenceId === null) ?? null,
      changes: remaining.filter(({ recurrenceId }) => recurrenceId !== null),
    }
  })
}

/** One event for each identity: of several with the same one, that which was modified last. */
export function keepNewest<Identity>(
  events: readonly CalendarEvent[],
  identify: (event: CalendarEvent) => Identity,
): Map<Identity, CalendarEvent> {
  const newest = new Map<Identity, CalendarEvent>()
  for (const event of events) {
    const identity = identify(event)
    const known = newest.get(identity)
    if (known === undefined || !isOlder(event, known)) newest.set(identity, event)
  }
  return newest
}

function versionKey({ recurrenceId }: CalendarEvent): string {
  if (recurrenceId === null) return 'main'
  if (recurrenceId.isDate) return formatDate(recurrenceId.wall)
  return `${recurrenceId.wall} ${recurrenceId.zone?.name ?? ''}`
}

/**
 * Whether one version was replaced by the other. The time of modification decides before SEQUENCE, because some
 * calendars start to count again after an import. Of equal versions the later one in the feed remains.
 */
function isOlder(event: CalendarEvent, other: CalendarEvent): boolean {
  const difference = (event.lastModified?.getTime() ?? 0) - (other.lastModified?.getTime() ?? 0)
  return difference < 0 || (difference === 0 && event.sequence < other.sequence)
}
