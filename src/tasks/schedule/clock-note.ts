import type { Schedule } from './parse.ts'
import { DAY_MS, zoneOf, type Span } from './time-zone.ts'

/** What a change of the clocks does to a run of the schedule at this time, or null. */
export function clockNote(schedule: Schedule, at: number): string | null {
  const spans = zoneOf(schedule.timeZone).spansAround(Math.floor(at / DAY_MS))
  const index = spans.findIndex(({ end }) => at < end)
  const span = spans[index]
  if (spans.length === 1 || span === undefined) return null
  const wall = at + span.offset
  return movedNote(schedule, wall, spans[index - 1], span) ?? twiceNote(schedule, wall, spans, at)
}

function movedNote(
  { isFixedTime, hours, minutes }: Schedule,
  wall: number,
  before: Span | undefined,
  span: Span,
): string | null {
  const wanted = ((hours[0] ?? 0) * 60 + (minutes[0] ?? 0)) * 60_000
  if (!isFixedTime || before === undefined || clock(wall) === clock(wanted)) return null
  const change = `from ${clock(span.start + before.offset)} to ${clock(wall)}`
  return `The clocks go forward ${change} and leave out ${clock(wanted)}: runs at ${clock(wall)} instead`
}

function twiceNote(
  { isFixedTime }: Schedule,
  wall: number,
  spans: readonly Span[],
  at: number,
): string | null {
  const times = spans
    .filter(({ start, end, offset }) => wall >= start + offset && wall < end + offset)
    .map(({ offset }) => wall - offset)
  if (times.length < 2) return null
  const start = `The clocks go back and show ${clock(wall)} twice`
  if (isFixedTime) return `${start}: runs the first time only`
  return `${start}: runs both times, this is the ${times[0] === at ? 'first' : 'second'}`
}

function clock(wall: number): string {
  return new Date(wall).toISOString().slice(11, 16)
}
