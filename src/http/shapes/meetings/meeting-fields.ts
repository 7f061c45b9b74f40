import { z } from 'zod'
import { MEETING_STATUSES, type MeetingStatus } from '../values.ts'
import { DocumentPath, Instant } from '../common.ts'

// Fields that several requests and responses about meetings have.

export const NullableDocumentPath = DocumentPath.nullable().describe(
  'Null when no document is saved, and while the meeting is scheduled',
)
export const MeetingStatusField = z.enum(MEETING_STATUSES as [MeetingStatus, ...MeetingStatus[]])

/** When the bot of a scheduled meeting joins, in responses. */
export const JoinAt = Instant.nullable().describe(
  'When the bot was asked to join; null when the meeting was started at once',
)
export const MeetingTitleInput = z.string().trim().min(1).max(200).meta({ pattern: '\\S' })

/** The id of a meeting in requests. An unknown id gets 404, no matter its form. */
export const MeetingIdInput = z.string().min(1).max(100)

export const MeetingParams = z.object({
  meetingId: MeetingIdInput.describe('The id that start returned'),
})
