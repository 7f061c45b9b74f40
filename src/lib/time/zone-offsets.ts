import { findZoneHistory, type ZoneHistory } from './zone-data.ts'
import { DAY_MS } from './durations.ts'

/** A period with a constant UTC offset. All values are in milliseconds, and `end` is exclusive. */
export type OffsetSpan = { start: number; end: number; offset: number }

export type ZoneOffsets = {
  offsetAt(time: number): number
  /** The periods of constant UTC offset around a local date. `day` counts days from 1 January 1970. */
  spansAround(day: number): readonly OffsetSpan[]
}

/** Limits of the cache of UTC offsets. Tasks use few time zones, but API callers can request previews in all. */
const MAX_CACHED_ZONES = 50
const MAX_CACHED_DAYS = 200
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

function createZoneOffsets(timeZone: string): ZoneOffsets {
  const history = findZoneHistory(timeZone)
  const offsetAt =
    history === null
      ? createIntlOffsetReader(timeZone)
      : (time: number) => findOffset(history, time)
  const days = new Map<number, readonly OffsetSpan[]>()
  return {
    offsetAt,
    spansAround(day) {
      const cached = days.get(day)
      if (cached !== undefined) return cached
      if (days.size >= MAX_CACHED_DAYS) days.clear()
      const spans = findSpans(offsetAt, day)
      days.set(day, spans)
      return spans
    },
  }
}

/** The data lists every change until this time. */
const DATA_END = Date.UTC(2499, 0)
/** After 400 years the calendar repeats, including weekdays. So do the rules of a zone that changes its clocks. */
const CALENDAR_CYCLE_MS = 146_097 * DAY_MS

function findOffset({ changes, offsets }: ZoneHistory, time: number): number {
  const cycles = Math.max(0, Math.ceil((time - DATA_END) / CALENDAR_CYCLE_MS))
  const listedTime = time - cycles * CALENDAR_CYCLE_MS
  let [low, high] = [0, changes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (listedTime < (changes[middle] ?? Infinity)) high = middle
    else low = middle + 1
  }
  return offsets[low] ?? 0
}

/** Asks Node or the browser about the few names that only they know. */
function createIntlOffsetReader(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  return (time) => parseOffset(format.format(time))
}

/** Parses `GMT`, `GMT-03:30` or, for historical dates, `GMT-00:44:30` into milliseconds. */
function parseOffset(text: string): number {
  const parts = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(text)
  if (parts === null) throw new Error(`no UTC offset in ${text}`)
  const [, sign, hours = 0, minutes = 0, seconds = 0] = parts
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -size : size
}

function findSpans(offsetAt: (time: number) => number, day: number): OffsetSpan[] {
  const spans: OffsetSpan[] = []
  let [start, offset] = [(day - 1) * DAY_MS, offsetAt((day - 1) * DAY_MS)]
  for (let next = day; next <= day + 2; next += 1) {
    const nextOffset = offsetAt(next * DAY_MS)
    if (nextOffset === offset) continue
    const change = findChange(offsetAt, (next - 1) * DAY_MS, next * DAY_MS)
    spans.push({ start, end: change, offset })
    ;[start, offset] = [change, nextOffset]
  }
  spans.push({ start, end: (day + 2) * DAY_MS, offset })
  return spans
}

/** Binary search for the first second with the new offset. A zone changes at whole seconds, at most once a day. */
function findChange(offsetAt: (time: number) => number, from: number, to: number): number {
  const newOffset = offsetAt(to)
  let [low, high] = [from / 1000, to / 1000]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * 1000) === newOffset) high = middle
    else low = middle
  }
  return high * 1000
}
