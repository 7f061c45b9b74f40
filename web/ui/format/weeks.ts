/** The Monday of the week of a day. Both are dates such as 2026-11-16. */
export function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  return addDays(day, -((date.getUTCDay() + 6) % 7))
}

/** A later day, or an earlier one if the count is negative. */
export function addDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + count)
  return date.toISOString().slice(0, 10)
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** The name of a week by its Monday: "This week", "Week of 2 Nov 2026". */
export function formatWeek(monday: string, today: string): string {
  const current = mondayOf(today)
  if (monday === current) return 'This week'
  if (monday === addDays(current, -7)) return 'Last week'
  if (monday === addDays(current, 7)) return 'Next week'
  return `Week of ${dayFormat.format(new Date(`${monday}T00:00:00Z`))}`
}
