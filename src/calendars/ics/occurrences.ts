import type { CalendarEvent, Occurrence, OccurrenceWindow } from './events.ts'

/** The occurrences of all events in a window, in the order of their starts. */
export function listOccurrences(
  _events: readonly CalendarEvent[],
  _window: OccurrenceWindow,
): { occurrences: Occurrence[]; problems: string[] } {
  throw new Error('not written yet')
}
