/** A day such as "2026-11-20" in words: "20 November 2026". */
export function formatDay(day: string, locale = 'en-GB'): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(locale, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
}
