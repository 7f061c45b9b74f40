/** A stretch of time on which a zone keeps one distance to UTC; all in milliseconds, `end` not included. */
export type OffsetSpan = { start: number; end: number; offset: number }

export type ZoneOffsets = {
  /** The spans that hold all of a local date, given as days since 1970, with a day or more to spare. */
  spansAround(day: number): readonly OffsetSpan[]
}

export const DAY_MS = 86_400_000

/** Bounds on memory: an instance uses few zones, a preview may be asked for all of them. */
const MAX_ZONES = 50
const MAX_DAYS = 200
const zones = new Map<string, ZoneOffsets>()

export function getZoneOffsets(timeZone: string): ZoneOffsets {
  const known = zones.get(timeZone)
  if (known !== undefined) return known
  if (zones.size >= MAX_ZONES) zones.clear()
  const zone = createZoneOffsets(timeZone)
  zones.set(timeZone, zone)
  return zone
}

function createZoneOffsets(timeZone: string): ZoneOffsets {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const offsetAt = (time: number) => parseOffset(format.format(time))
  const days = new Map<number, readonly OffsetSpan[]>()
  return {
    spansAround(day) {
      const known = days.get(day)
      if (known !== undefined) return known
      if (days.size >= MAX_DAYS) days.clear()
      const spans = findSpans(offsetAt, day)
      days.set(day, spans)
      return spans
    },
  }
}

/** `GMT`, `GMT-03:30` or, long ago, `GMT-00:44:30`. */
function parseOffset(text: string): number {
  const parts = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(text)
  if (parts === null) throw new Error(`no distance to UTC in ${text}`)
  const [, sign, hours = 0, minutes = 0, seconds = 0] = parts
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -size : size
}

function findSpans(offsetAt: (time: number) => number, day: number): OffsetSpan[] {
  const spans: OffsetSpan[] = []
  let [start, offset] = [(day - 1) * DAY_MS, offsetAt((day - 1) * DAY_MS)]
  for (let next = day; next <= day + 2; next += 1) {
    const after = offsetAt(next * DAY_MS)
    if (after === offset) continue
    const change = findChange(offsetAt, (next - 1) * DAY_MS, next * DAY_MS)
    spans.push({ start, end: change, offset })
    ;[start, offset] = [change, after]
  }
  spans.push({ start, end: (day + 2) * DAY_MS, offset })
  return spans
}

/** The first second with the offset of the end. Zones change at whole seconds, once in a day at most. */
function findChange(offsetAt: (time: number) => number, from: number, to: number): number {
  const goal = offsetAt(to)
  let [low, high] = [from / 1000, to / 1000]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * 1000) === goal) high = middle
    else low = middle
  }
  return high * 1000
}
