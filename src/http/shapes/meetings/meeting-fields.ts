import { z } from 'zod'
import { MEETING_STATUSES, type MeetingStatus } from '../values.ts'
import { DocumentPath } from '../common.ts'

// Fields that several requests and responses about meetings have.

export const NullableDocumentPath = DocumentPath.nullable().describe(
  'Null when no document is saved',
)
export const MeetingStatusField = z.enum(MEETING_STATUSES as [MeetingStatus, ...MeetingStatus[]])

/** The id of a meeting in requests. An id that does not exist gets 404, whatever its form. */
export const MeetingIdInput = z.string().min(1).max(100)

export const MeetingParams = z.object({
  meetingId: MeetingIdInput.describe('The id that start returned'),
})
