import type { Tx } from '../../db/database.ts'
import type { EventContent } from '../event-types.ts'
import type { Meeting } from '../meeting.ts'
import { appendLateEvents, type EventRow } from './meeting-store.ts'

/**
 * Stores events that are sent only if the start request of the meeting lists their types, after the meeting ended. The
 * caller publishes the rows after the commit.
 */
export function announceEvents(
  tx: Tx,
  { id, options }: Meeting,
  at: Date,
  events: readonly EventContent[],
): Promise<EventRow[]> {
  const listed = events.filter(({ type }) => options.events?.includes(type) === true)
  return appendLateEvents(tx, id, at, listed)
}
