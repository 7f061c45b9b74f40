import { useInterval } from '@mantine/hooks'
import { useState } from 'react'

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })
const minuteFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const agoFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

interface TimeProps {
  at: string
  show: 'day' | 'minute' | 'relative'
}

/** A time in the user's time zone. The tooltip shows UTC. */
export function Time({ at, show }: TimeProps) {
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {show === 'relative' ? <RelativeTime at={at} /> : formatAbsolute(at, show)}
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

function RelativeTime({ at }: { at: string }) {
  return formatRelative(at, useNowEvery30Seconds())
}

function formatAbsolute(at: string, show: 'day' | 'minute'): string {
  return (show === 'day' ? dayFormat : minuteFormat).format(new Date(at))
}

function formatRelative(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size)
  if (!unit) return seconds > 0 ? 'in less than a minute' : 'just now'
  return agoFormat.format(Math.round(seconds / unit[1]), unit[0])
}

export function formatUtc(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
