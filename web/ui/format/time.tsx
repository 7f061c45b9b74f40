import { useInterval } from '@mantine/hooks'
import { useState } from 'react'
import {
  formatAbsolute,
  formatAgo,
  formatNear,
  formatRelative,
  formatSince,
  type TimePrecision,
} from './time-texts.ts'

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
