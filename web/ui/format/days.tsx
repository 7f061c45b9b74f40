const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** A calendar date such as 2026-11-15. It is the same day in every time zone. */
export function CalendarDay({ day }: { day: string }) {
  return <time dateTime={day}>{dayFormat.format(new Date(`${day}T00:00:00Z`))}</time>
}

/** The date in the user's time zone, such as 2026-11-15. */
export function formatLocalDay(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
