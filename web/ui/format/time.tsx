import { useInterval } from '@mantine/hooks'
import { useState } from 'react'
import type { TimePrecision } from './time-texts.ts'
import { formatAbsolute, formatAgo, formatNear, formatRelative, formatSince } from './time-texts.ts'

const CHANGING_FORMATS = {
  ago: formatAgo,
  near: formatNear,
  relative: formatRelative,
  since: formatSince,
}
type ChangingFormat = keyof typeof CHANGING_FORMATS

interface TimeProps {
  at: string
  /**
   * What happened has its date and time (`near`: as “Today, 15:15”; `since`: when a state began). Only for the last time of
   * something that repeats it matters more how long `ago` it was. What will happen may be `relative`: “in 5 minutes”.
   */
  show: TimePrecision | ChangingFormat
}

/** A time in the user's time zone. The tooltip shows UTC. */
export function Time({ at, show }: TimeProps) {
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {show === 'day' || show === 'minute' || show === 'second' ? (
        formatAbsolute(at, show)
      ) : (
        <ChangingTime at={at} show={show} />
      )}
    </time>
  )
}

const clockFormat = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** Only the time of day, for lists where the date is clear. */
export function TimeOfDay({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {formatTimeOfDay(at)}
    </time>
  )
}

export function formatTimeOfDay(at: string): string {
  return clockFormat.format(new Date(at))
}

const minuteFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** The time of day without seconds, for places in a meeting: "12:04". */
export function HourAndMinute({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {formatHourAndMinute(at)}
    </time>
  )
}

export function formatHourAndMinute(at: string): string {
  return minuteFormat.format(new Date(at))
}

/** The current time in milliseconds, updated every 30 seconds. */
export function useNowEvery30Seconds(): number {
  const [now, setNow] = useState(Date.now)
  useInterval(() => setNow(Date.now()), 30_000, { autoInvoke: true })
  return now
}

/** The current time in milliseconds, updated every second. */
export function useNowEverySecond(): number {
  const [now, setNow] = useState(Date.now)
  useInterval(() => setNow(Date.now()), 1_000, { autoInvoke: true })
  return now
}

function ChangingTime({ at, show }: { at: string; show: ChangingFormat }) {
  return CHANGING_FORMATS[show](at, useNowEvery30Seconds())
}

export function formatUtc(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

const utcDayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

const utcDayAndMonthFormat = new Intl.DateTimeFormat('en-GB', {
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
  const format = day.slice(0, 4) === today.slice(0, 4) ? utcDayAndMonthFormat : utcDayFormat
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
