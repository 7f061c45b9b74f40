const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

const dayAndMonthFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

interface CalendarDayProps {
  /** A date such as 2026-11-15. It is the same day in every time zone. */
  day: string
  /** Today's date. A day of the same year is shown without the year. */
  today: string
}

export function CalendarDay({ day, today }: CalendarDayProps) {
  const format = day.slice(0, 4) === today.slice(0, 4) ? dayAndMonthFormat : dayFormat
  return <time dateTime={day}>{format.format(new Date(`${day}T00:00:00Z`))}</time>
}

/** The date in the user's time zone, such as 2026-11-15. */
export function formatLocalDay(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** The start of a day, or of a later one, in the user's time zone. */
export function dayToInstant(day: string | undefined, daysLater: number): string | undefined {
  if (day === undefined) return undefined
  const date = new Date(`${day}T00:00:00`)
  date.setDate(date.getDate() + daysLater)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** Parses a day in the URL. Undefined if it is not valid. */
export function parseDayParameter(value: unknown): string | undefined {
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
  return isDay && dayToInstant(value, 0) !== undefined ? value : undefined
}
