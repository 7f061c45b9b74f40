import { useInterval } from '@mantine/hooks'
import { useState } from 'react'
import { formatAbsolute, formatAgo, formatRelative, type TimePrecision } from './time-texts.ts'

interface TimeProps {
  at: string
  /** `ago` is for what has happened, `relative` for what may still come. */
  show: TimePrecision | 'ago' | 'relative'
}

/** A time in the user's time zone. The tooltip shows UTC. */
export function Time({ at, show }: TimeProps) {
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {show === 'relative' || show === 'ago' ? (
        <RelativeTime at={at} show={show} />
      ) : (
        formatAbsolute(at, show)
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

function RelativeTime({ at, show }: { at: string; show: 'ago' | 'relative' }) {
  const now = useNowEvery30Seconds()
  return show === 'ago' ? formatAgo(at, now) : formatRelative(at, now)
}

export function formatUtc(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
