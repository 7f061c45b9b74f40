import type { EventPayload } from '../../../../src/http/shapes/meetings/meetings.ts'
import { MEETING_END_REASON_TEXTS } from '../../meeting-labels.ts'

/** A browser notification about a meeting. */
export interface MeetingNotification {
  what: string
  body: string
  /** True if the meeting is over, so that no further notification follows. */
  isLast: boolean
}

/** The notification for a meeting's new status. Null for a status that needs no attention. */
export function describeStatusChange({
  status,
  previousStatus,
  reason,
}: EventPayload<'meeting_status'>): MeetingNotification | null {
  const why = reason === undefined ? '' : MEETING_END_REASON_TEXTS[reason].what
  switch (status) {
    case 'lobby':
      return {
        what: 'Waiting in the lobby',
        body: 'Ask the host to admit the bot.',
        isLast: false,
      }
    case 'error': {
      const wasInCall = previousStatus !== 'joining' && previousStatus !== 'lobby'
      const what = wasInCall ? 'The meeting failed' : 'Couldn’t join'
      return { what, body: why, isLast: true }
    }
    case 'ended':
      return { what: 'The meeting ended', body: why, isLast: true }
    default:
      return null
  }
}
