import { DAY_MS } from '../../../lib/time/durations.ts'
import { getZoneOffsets } from '../../../lib/time/zone-offsets.ts'

/** The clock of a place: an IANA zone, or the rules of a VTIMEZONE. */
export type Zone = {
  name: string
  /** The UTC offset at an instant, both in milliseconds. */
  offsetAt(instant: number): number
}

export const UTC: Zone = { name: 'UTC', offsetAt: () => 0 }

/** `name` must be an IANA name. All nodes and the rest of the service use the same zone data. */
export function createIanaZone(name: string): Zone {
  const { offsetAt } = getZoneOffsets(name)
  return { name, offsetAt }
}

/** The local time in the zone at an instant, in milliseconds as if it were UTC. */
export function toWall(zone: Zone, instant: number): number {
  return instant + zone.offsetAt(instant)
}

/**
 * The instant of a local time in the zone, according to RFC 5545, section 3.3.5: if clocks are set back, the first of
 * the two; if the change skips the time, the offset before the change applies.
 */
export function toInstant(zone: Zone, wall: number): number {
  const before = zone.offsetAt(wall - DAY_MS)
  const after = zone.offsetAt(wall + DAY_MS)
  if (before === after || zone.offsetAt(wall - before) === before) return wall - before
  return zone.offsetAt(wall - after) === after ? wall - after : wall - before
}
