type Timed = { startsAt: string; endsAt: string | null }

/** The current time and the viewer's IANA time zone. */
export type ViewerTime = { now: number; timeZone: string }

export type MeetingDay<Meeting> = {
  /** Such as 2026-11-17, in the viewer's time zone. */
  day: string
  heading: string
  meetings: Meeting[]
}

const DAY_MS = 86_400_000
/** An hour shorter than a day, because a clock change can remove an hour. */
const ALL_DAY_MS = DAY_MS - 3_600_000

const headingFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
})

/** Groups meetings, sorted by start, by day in the viewer's time zone. Meetings that still last are listed today. */
export function groupByDay<Meeting extends Timed>(
  meetings: readonly Meeting[],
  { now, timeZone }: ViewerTime,
): MeetingDay<Meeting>[] {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  const today = format.format(now)
  const days = new Map<string, Meeting[]>()
  for (const meeting of meetings) {
    const start = format.format(Date.parse(meeting.startsAt))
    const day = start < today ? today : start
    const ofDay = days.get(day)
    if (ofDay) ofDay.push(meeting)
    else days.set(day, [meeting])
  }
  return [...days].map(([day, ofDay]) => ({
    day,
    heading: describeDay(day, today),
    meetings: ofDay,
  }))
}

/** "Today, Tuesday 17 November". */
function describeDay(day: string, today: string): string {
  const daysAhead = Math.round((Date.parse(day) - Date.parse(today)) / DAY_MS)
  const prefix = ['Today, ', 'Tomorrow, '][daysAhead] ?? ''
  return `${prefix}${headingFormat.format(Date.parse(day))}`
}

/** "09:00 – 09:30" in the given time zone, or "All day". */
export function formatTimeRange({ startsAt, endsAt }: Timed, timeZone: string): string {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  const start = Date.parse(startsAt)
  if (endsAt === null) return clock.format(start)
  const end = Date.parse(endsAt)
  if (end - start >= ALL_DAY_MS) return 'All day'
  return `${clock.format(start)} – ${clock.format(end)}`
}

/** True if a meeting has begun and is not over, as far as its end is known. */
export function isInProgress({ startsAt, endsAt }: Timed, now: number): boolean {
  return Date.parse(startsAt) <= now && endsAt !== null && now < Date.parse(endsAt)
}
