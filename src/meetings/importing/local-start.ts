import { getZoneOffsets } from '../../lib/time/zone-offsets.ts'
import type { LocalStart } from './formats/found-transcript.ts'

/** Without a time: noon is the same date in most other time zones. */
const ASSUMED_TIME = '12:00'

/** The instant of a local date and time in a time zone; null for a date that does not exist. */
export function toInstant({ date, time }: LocalStart, timeZone: string): Date | null {
  const asUtc = Date.parse(`${date}T${time ?? ASSUMED_TIME}Z`)
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 10) !== date) return null
  const { offsetAt } = getZoneOffsets(timeZone)
  // The second step is right also on the other side of a clock change.
  const guess = asUtc - offsetAt(asUtc)
  return new Date(asUtc - offsetAt(guess))
}
