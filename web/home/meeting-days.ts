import { isActiveStatus } from '../meetings/meeting-labels.ts'
import { formatLocalDay } from '../ui/format/days.tsx'

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
  const today = formatLocalDay(new Date(now))
  const dayBefore = new Date(now)
  // Not 24 hours ago: the day on which clocks change is longer or shorter.
  dayBefore.setDate(dayBefore.getDate() - 1)
  const yesterday = formatLocalDay(dayBefore)
  const days: MeetingDays<Meeting> = { today: [], yesterday: [], earlier: [] }
  for (const meeting of meetings) {
    if (isActiveStatus(meeting.status)) continue
    const day = formatLocalDay(new Date(meeting.startedAt))
    if (day >= today) days.today.push(meeting)
    else if (day === yesterday) days.yesterday.push(meeting)
    else days.earlier.push(meeting)
  }
  return days
}
