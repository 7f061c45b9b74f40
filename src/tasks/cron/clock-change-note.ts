import type { Schedule } from './parse-schedule.ts'
import { getZoneOffsets, type OffsetSpan } from '../../lib/time/zone-offsets.ts'
import { DAY_MS } from '../../lib/time/durations.ts'

/** Describes how a clock change affects a run at this time. Null if it does not. */
export function describeClockChange(schedule: Schedule, atMs: number): string | null {
  const spans = getZoneOffsets(schedule.timeZone).spansAround(Math.floor(atMs / DAY_MS))
  const index = spans.findIndex(({ end }) => atMs < end)
  const span = spans[index]
  if (spans.length === 1 || span === undefined) return null
  const wall = atMs + span.offset
  return (
    describeSkippedTime(schedule, wall, spans[index - 1], span) ??
    describeRepeatedTime(schedule, wall, spans, atMs)
  )
}

function describeSkippedTime(
  { isFixedTime, hours, minutes }: Schedule,
  wall: number,
  before: OffsetSpan | undefined,
  span: OffsetSpan,
): string | null {
  const scheduled = ((hours[0] ?? 0) * 60 + (minutes[0] ?? 0)) * 60_000
  if (!isFixedTime || before === undefined || formatTime(wall) === formatTime(scheduled))
    return null
  const change = `from ${formatTime(span.start + before.offset)} to ${formatTime(wall)}`
  return `The clocks go forward ${change} and skip ${formatTime(scheduled)}: runs at ${formatTime(wall)} instead`
}

function describeRepeatedTime(
  { isFixedTime }: Schedule,
  wall: number,
  spans: readonly OffsetSpan[],
  at: number,
): string | null {
  const times = spans
    .filter(({ start, end, offset }) => wall >= start + offset && wall < end + offset)
    .map(({ offset }) => wall - offset)
  if (times.length < 2) return null
  const start = `The clocks go back and show ${formatTime(wall)} twice`
  if (isFixedTime) return `${start}: runs the first time only`
  return `${start}: runs both times, this is the ${times[0] === at ? 'first' : 'second'}`
}

function formatTime(wall: number): string {
  return new Date(wall).toISOString().slice(11, 16)
}
