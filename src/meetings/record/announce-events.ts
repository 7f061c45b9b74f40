import type { Tx } from '../../db/database.ts'
import { enqueueMessages } from '../../deliveries/notifications/enqueue-messages.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { EventContent } from '../event-types.ts'
import { findShownTitle, type Meeting } from '../meeting.ts'
import { appendLateEvents, type EventRow } from './meeting-store.ts'

/** The events that follow the end of a meeting. */
export type RecapEvent = Extract<
  EventContent,
  { type: 'recap_ready' | 'decision_recorded' | 'action_created' | 'action_changed' }
>

/** An import of old meetings sends no messages. */
const MAX_IMPORTED_AGE_MS = 7 * DAY_MS

/**
 * Stores events of an ended meeting whose types its start request lists, and the messages about all of them for the
 * chats of its project. The caller publishes the rows after the commit.
 */
export async function announceEvents(
  tx: Tx,
  meeting: Meeting,
  at: Date,
  events: readonly RecapEvent[],
): Promise<EventRow[]> {
  const { id, project, endedAt, importedAt, options } = meeting
  const ageMs = endedAt === null ? 0 : at.getTime() - endedAt.getTime()
  if (importedAt === null || ageMs <= MAX_IMPORTED_AGE_MS) {
    const path = `/meetings/${encodeURIComponent(id)}`
    const title = findShownTitle(meeting)
    await enqueueMessages(tx, { meetingId: id, project, title, path, events: [...events], at })
  }
  const listed = events.filter(({ type }) => options.events?.includes(type) === true)
  return appendLateEvents(tx, id, at, listed)
}
