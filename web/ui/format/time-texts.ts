const ABSOLUTE_FORMATS = {
  day: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }),
  minute: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }),
  second: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }),
}
const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

export type TimePrecision = keyof typeof ABSOLUTE_FORMATS

/** Date and time in the time zone of the viewer, with the given precision. */
export function formatAbsolute(at: string, precision: TimePrecision): string {
  return ABSOLUTE_FORMATS[precision].format(new Date(at))
}

const clockFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })
const dayAndMonthFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const DAY_NAMES = new Map([
  [-1, 'Yesterday'],
  [0, 'Today'],
  [1, 'Tomorrow'],
])

/** Date and time in everyday form: "Today, 19:47", "18 Nov, 17:00". The year is shown only if it is another one. */
export function formatNear(at: string, now: number): string {
  const [day, today] = [new Date(at), new Date(now)]
  const clock = clockFormat.format(day)
  day.setHours(0, 0, 0, 0)
  today.setHours(0, 0, 0, 0)
  // Rounded, because a day with a clock change has 23 or 25 hours.
  const name = DAY_NAMES.get(Math.round((day.getTime() - today.getTime()) / 86_400_000))
  const format =
    day.getFullYear() === today.getFullYear() ? dayAndMonthFormat : ABSOLUTE_FORMATS.day
  return `${name ?? format.format(day)}, ${clock}`
}

/** Since when something lasts: "07:29", "yesterday, 07:29". */
export function formatSince(at: string, now: number): string {
  return formatNear(at, now)
    .replace(/^Today, /, '')
    .replace(/^Y/, 'y')
}

/** How long ago, or in how long. */
export function formatRelative(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size)
  if (!unit) return seconds > 0 ? 'in less than a minute' : 'just now'
  return relativeFormat.format(Math.round(seconds / unit[1]), unit[0])
}

/** How long ago something happened. If the browser's clock is behind the service's, the time may be in the future. */
export function formatAgo(at: string, now: number): string {
  return Date.parse(at) > now ? 'just now' : formatRelative(at, now)
}
