import { isActiveStatus } from '../meetings/meeting-labels.ts'

type Dated = { startedAt: string; status: string }

export type MeetingDays<Meeting> = {
  today: Meeting[]
  yesterday: Meeting[]
  /** Older ones. */
  earlier: Meeting[]
}

/** Divides meetings that are over, newest first, by days in the time zone of the browser. */
export function divideByDay<Meeting extends Dated>(
  meetings: readonly Meeting[],
  now: number,
): MeetingDays<Meeting> {
  const today = new Date(now)
  today.setHours(0, 0, 0, 0)
  const yesterday = new Date(today)
  // Not 24 hours before: the day on which clocks change is longer or shorter.
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

/** The day of which further pages may have meetings, when there are further pages. Meetings come newest first. */
export function findIncompleteDay(days: MeetingDays<unknown>): 'today' | 'yesterday' | null {
  if (days.earlier.length > 0) return null
  return days.yesterday.length > 0 ? 'yesterday' : 'today'
}
