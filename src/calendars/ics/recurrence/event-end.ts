import { DAY_MS } from '../../../lib/time/durations.ts'
import type { EventEnd, FeedTime } from '../events.ts'
import { toInstant, toWall, type Zone } from '../zones/zone.ts'

/**
 * The end of an occurrence, as instant. `start` is when the event starts that has this `end`; the occurrence may be a
 * later one of the series. An end that is given as a time has the same exact length for all occurrences, while the days
 * of a duration are days on the clock (RFC 5545, sections 3.8.5.3 and 3.3.6).
 */
export function findEnd(
  occurrence: number,
  start: FeedTime,
  end: EventEnd,
  defaultZone: Zone,
): number {
  const zone = start.zone ?? defaultZone
  if (end.kind === 'duration') return addDays(zone, occurrence, end.days) + end.ms
  if (end.kind === 'none') return start.isDate ? addDays(zone, occurrence, 1) : occurrence
  if (start.isDate) {
    // A whole day has no time zone, so its length is counted in days.
    const days = Math.max(1, Math.round((end.time.wall - start.wall) / DAY_MS))
    return addDays(zone, occurrence, days)
  }
  const endInstant = toInstant(end.time.zone ?? zone, end.time.wall)
  return occurrence + Math.max(0, endInstant - toInstant(zone, start.wall))
}

function addDays(zone: Zone, instant: number, days: number): number {
  return days === 0 ? instant : toInstant(zone, toWall(zone, instant) + days * DAY_MS)
}
