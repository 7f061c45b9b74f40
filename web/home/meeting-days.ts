import { isActiveStatus } from '../meetings/meeting-labels.ts'

type Dated = { startedAt: string; status: string }

export type MeetingDays<Meeting> = {
  today: Meeting[]
  yesterday: Meeting[]
  earlier: Meeting[]
}

/** Divides ended meetings, newest first, by days in the browser's time zone. */
export function divideByDay<Meeting extends Dated>(
  meetings: readonly Meeting[],
  now: number,
): MeetingDays<Meeting> {
  const today = new Date(now)
  today.setHours(0, 0, 0, 0)
  const yesterday = new Date(today)
  // Not 24 hours before, because a day with a clock change is longer or shorter.
  yesterday.setDate(yesterday.getDate() - 1)
  const days: MeetingDays<Meeting> = { today: [], yesterday: [], earlier: [] }
  for (const meeting of meetings) {
    if (isActiveStatus(meeting.status)) continue
    const at = new Date(meeting.startedAt)
    if (at >= today) days.today.push(meeting)
    else if (at >= yesterday) days.yesterday.push(meeting)
    else days.earlier.push(meeting)
  }
  return days
}

/** The day of which further pages may have more meetings. Meetings come newest first. Null if none. */
export function findIncompleteDay(days: MeetingDays<unknown>): 'today' | 'yesterday' | null {
  if (days.earlier.length > 0) return null
  return days.yesterday.length > 0 ? 'yesterday' : 'today'
}
