import { UPCOMING_REASON_TEXTS, type UpcomingReason } from '../../calendars/planning/reasons.ts'

export function addReasonText<Meeting extends { reason: UpcomingReason }>(
  meeting: Meeting,
): Meeting & { reasonText: string } {
  return { ...meeting, reasonText: UPCOMING_REASON_TEXTS[meeting.reason] }
}
