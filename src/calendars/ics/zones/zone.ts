import { DAY_MS } from '../../../lib/time/durations.ts'
import { getZoneOffsets } from '../../../lib/time/zone-offsets.ts'

/** The clock of a place: an IANA zone, or the rules of a VTIMEZONE. */
export type Zone = {
  name: string
  /** The UTC offset at an instant, both in milliseconds. */
  offsetAt(instant: number): number
}

export const UTC: Zone = { name: 'UTC', offsetAt: () => 0 }

/** `name` must be an IANA name. Uses the same zone data as the rest of the service, on all nodes. */
export function createIanaZone(name: string): Zone {
  const { offsetAt } = getZoneOffsets(name)
  return { name, offsetAt }
}

/** What a clock of the zone shows at an instant, in milliseconds as if it were UTC. */
export function toWall(zone: Zone, instant: number): number {
  return instant + zone.offsetAt(instant)
}

/**
 * The instant at which a clock of the zone shows a time, as RFC 5545 section 3.3.5 says: the first of two when clocks are
 * set back, and the offset before the change when the change skips the time.
 */
export function toInstant(zone: Zone, wall: number): number {
  const before = zone.offsetAt(wall - DAY_MS)
  const after = zone.offsetAt(wall + DAY_MS)
  if (before === after || zone.offsetAt(wall - before) === before) return wall - before
  return zone.offsetAt(wall - after) === after ? wall - after : wall - before
}
