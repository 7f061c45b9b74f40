import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time/durations.ts'
import type { Occurrence, OccurrenceWindow } from '../ics/events.ts'

/** How far ahead meetings are shown and joined. */
export const PLANNED_MS = 14 * DAY_MS
/** A calendar that says that nothing changed is read in full after this time, so that the planned days move forward. */
export const MAX_READ_AGE_MS = 20 * HOUR_MS
/** How long before its start the meeting of an occurrence is created; the meeting itself begins later. */
export const ATTEND_LEAD_MS = 5 * MINUTE_MS
/** The length of a meeting whose invitation names no end. */
const DEFAULT_LENGTH_MS = HOUR_MS

/** The days that are planned. They are one more than people see, because an unchanged calendar is not read every time. */
export function plannedWindow(now: Date, defaultTimeZone: string): OccurrenceWindow {
  return {
    from: new Date(now.getTime() - DEFAULT_LENGTH_MS),
    to: new Date(now.getTime() + PLANNED_MS + DAY_MS),
    defaultTimeZone,
  }
}

export function findEnd({ startsAt, endsAt }: Pick<Occurrence, 'startsAt' | 'endsAt'>): Date {
  return endsAt > startsAt ? endsAt : new Date(startsAt.getTime() + DEFAULT_LENGTH_MS)
}
