import type { EventPayload, EventType } from '../../../src/http/shapes/meetings/meetings.ts'
import { MEETING_STATUS_LABELS } from '../../meetings/meeting-labels.ts'
import { formatCountWithNoun } from '../../ui/format/format-text.ts'

type Describe = { [Type in EventType]: (payload: EventPayload<Type>) => string }

const DESCRIBE: Describe = {
  meeting_status: ({ status, detail }) => {
    const label = (MEETING_STATUS_LABELS as Record<string, { label: string }>)[status]?.label
    return detail === undefined ? (label ?? status) : `${label ?? status}: ${detail}`
  },
  caption_partial: ({ speaker, text }) => `${speaker}: ${text}`,
  segment_finalized: ({ speaker, text }) => `${speaker}: ${text}`,
  coach_insight: ({ text }) => text,
  participant_joined: ({ name, participantCount }) => `${name}, ${participantCount} present`,
  participant_left: ({ name, participantCount }) => `${name}, ${participantCount} present`,
  document_saved: ({ documentPath, totalSegments }) =>
    `${documentPath}, ${formatCountWithNoun(totalSegments, 'line')}`,
  recap_ready: ({ summary }) => summary.join(' '),
}

/** The content of a callback in one line. Empty if the body is not a known event. */
export function describeCallback(body: string): string {
  try {
    const { type, payload } = JSON.parse(body) as { type: EventType; payload: never }
    return DESCRIBE[type](payload)
  } catch (error) {
    // Any program with the right to send may use this receiver.
    if (error instanceof SyntaxError || error instanceof TypeError) return ''
    throw error
  }
}
