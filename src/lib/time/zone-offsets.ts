import { findZoneHistory } from './zone-data.ts'
import { DAY_MS } from './durations.ts'

/** A period with a constant UTC offset. All values are in milliseconds, and `end` is exclusive. */
export type OffsetSpan = { start: number; end: number; offset: number }

export type ZoneOffsets = {
  offsetAt(time: number): number
  /** The periods of constant UTC offset around a local date. `day` counts days from 1 January 1970. */
  spansAround(day: number): readonly OffsetSpan[]
}

/** Limits the cache. Tasks use few time zones, but API callers can request previews in all. */
const MAX_CACHED_ZONES = 50
const zones = new Map<string, ZoneOffsets>()

export function getZoneOffsets(timeZone: string): ZoneOffsets {
  const cached = zones.get(timeZone)
  if (cached !== undefined) return cached
  if (zones.size >= MAX_CACHED_ZONES) zones.clear()
  const zone = createZoneOffsets(timeZone)
  zones.set(timeZone, zone)
  return zone
}

/**
 * The first instant at which clocks show this time, in milliseconds. If a clock change skips it, the first instant
 * after the gap. `spans` are around the date of the local time.
 */
export function findInstantOfLocalTime(spans: readonly OffsetSpan[], localMs: number): number {
  const span = spans.find(({ end, offset }) => localMs < end + offset)
  if (span === undefined) throw new Error('the offset spans must cover the whole date')
  return Math.max(localMs - span.offset, span.start)
}

/** The local date and time as `2026-11-15T09:30`. Throws a RangeError for an unknown zone. */
export function formatLocalTimeWithoutOffset(at: Date, timeZone: string): string {
  const offset = getZoneOffsets(timeZone).offsetAt(at.getTime())
  return new Date(at.getTime() + offset).toISOString().slice(0, -':00.000Z'.length)
}

/** The data lists all changes until 2499. Then a zone keeps its last offset. */
function createZoneOffsets(timeZone: string): ZoneOffsets {
  const history = findZoneHistory(timeZone)
  if (history === null) throw new RangeError(`no data about the time zone ${timeZone}`)
  const { changes, offsets } = history
  return {
    offsetAt: (time) => offsets[countChanges(changes, time)] ?? 0,
    spansAround(day) {
      const spans: OffsetSpan[] = []
      const last = (day + 2) * DAY_MS
      let start = (day - 1) * DAY_MS
      for (let i = countChanges(changes, start); start < last; i += 1) {
        const [end, offset] = [Math.min(changes[i] ?? last, last), offsets[i] ?? 0]
        const before = spans.at(-1)
        // Only the name of the time has changed.
        if (before?.offset === offset) before.end = end
        else spans.push({ start, end, offset })
        start = end
      }
      return spans
    },
  }
}

/** Binary search for the number of changes up to a time. */
function countChanges(changes: readonly number[], time: number): number {
  let [low, high] = [0, changes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (time < (changes[middle] ?? Infinity)) high = middle
    else low = middle + 1
  }
  return low
}
