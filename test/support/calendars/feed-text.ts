/** One event of a feed in the tests. */
export type TestEvent = {
  uid: string
  start: Date
  /** 30 minutes by default. */
  minutes?: number
  title?: string
  link?: string | null
  organizer?: string
  /** Addresses with their PARTSTAT. */
  attendees?: Record<string, 'ACCEPTED' | 'DECLINED' | 'TENTATIVE' | 'NEEDS-ACTION'>
  isCancelled?: boolean
  isAllDay?: boolean
  sequence?: number
  rule?: string
  recurrenceId?: Date
}

/** A feed with these events, in the format of calendar programs. */
export function formatFeed(events: readonly TestEvent[]): string {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Tests//EN']
  for (const event of events) lines.push(...formatEvent(event))
  return [...lines, 'END:VCALENDAR', ''].join('\r\n')
}

function formatEvent(event: TestEvent): string[] {
  const { uid, start, minutes = 30, title = 'Planning', link = 'practice://standup' } = event
  const end = new Date(start.getTime() + minutes * 60_000)
  const day = (date: Date) => formatTime(date).slice(0, 8)
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20991101T000000Z',
    ...(event.isAllDay
      ? [`DTSTART;VALUE=DATE:${day(start)}`]
      : [`DTSTART:${formatTime(start)}`, `DTEND:${formatTime(end)}`]),
    `SUMMARY:${title}`,
    ...(link === null ? [] : [`LOCATION:${link}`]),
    ...(event.organizer === undefined ? [] : [`ORGANIZER:mailto:${event.organizer}`]),
    ...Object.entries(event.attendees ?? {}).map(
      ([address, status]) => `ATTENDEE;PARTSTAT=${status}:mailto:${address}`,
    ),
    ...(event.isCancelled ? ['STATUS:CANCELLED'] : []),
    ...(event.rule === undefined ? [] : [`RRULE:${event.rule}`]),
    ...(event.recurrenceId === undefined
      ? []
      : [`RECURRENCE-ID:${formatTime(event.recurrenceId)}`]),
    `SEQUENCE:${event.sequence ?? 0}`,
    'END:VEVENT',
  ]
}

function formatTime(date: Date): string {
  return date.toISOString().replaceAll(/[-:]|\.\d+/g, '')
}
