import type { Insight, InsightEngine } from '../../coach/coach.ts'
import type { SegmentSource } from '../captions/segment-sources.ts'
import type { EventType } from '../event-types.ts'
import type { TranscriptGap } from '../transcript/source.ts'

export type SegmentRow = {
  number: number
  captionId: string
  speaker: string
  text: string
  startedAt: Date
  source: SegmentSource
  /** Whether words before or in it are missing. */
  isIncomplete: boolean
  /** The gaps between the previous segment and this one. */
  gapsBefore?: readonly TranscriptGap[]
}
/** `body` holds the exact bytes that are sent to the callback URL. */
export type EventRow = { sequence: number; type: EventType; at: Date; body: string }
export type InsightRow = Insight & { id: string; engine: InsightEngine; at: Date }
/** `at` is when the participant joined, or when the participant left if `hasLeft` is true. */
export type ParticipantJoinOrLeaveRow = {
  id: string
  name: string
  isHost: boolean
  at: Date
  hasLeft: boolean
}
