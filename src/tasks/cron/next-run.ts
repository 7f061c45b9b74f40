import { findNextDate } from './calendar.ts'
import { describeClockChange } from './clock-change-note.ts'
import type { Schedule } from './parse-schedule.ts'
import { DAY_MS, getZoneOffsets, type OffsetSpan } from './zone-offsets.ts'

export type ScheduledRun = {
  at: Date
  /** What a clock change does to this run, for a person; null for nearly all. */
  note: string | null
}

const MINUTE_MS = 60_000
/** 30 years with their leap days: 29 February returns within eight. */
const SEARCH_LIMIT_DAYS = 10_958
/** What a Date can hold, without the bound. */
const MAX_TIME = 8.64e15 - (SEARCH_LIMIT_DAYS + 10) * DAY_MS

/** The first run later than `after`, or null where the next 30 years have none. */
export function nextRun(schedule: Schedule, after: Date): Date | null {
  const at = findNextTime(schedule, after.getTime())
  return at === null ? null : new Date(at)
}

/** The next runs in ascending order; fewer than `count` only where there are no more. */
export function nextRuns(schedule: Schedule, after: Date, count: number): ScheduledRun[] {
  const runs: ScheduledRun[] = []
  let time = findNextTime(schedule, after.getTime())
  while (time !== null && runs.length < count) {
    runs.push({ at: new Date(time), note: describeClockChange(schedule, time) })
    time = findNextTime(schedule, time)
  }
  return runs
}

function findNextTime(schedule: Schedule, after: number): number | null {
  if (Number.isNaN(after)) throw new RangeError('a run is sought after a time that is none')
  if (Math.abs(after) > MAX_TIME) return null
  const zone = getZoneOffsets(schedule.timeZone)
  const today = localDay(zone.spansAround(Math.floor(after / DAY_MS)), after)
  const last = today + SEARCH_LIMIT_DAYS
  // Clocks put back shortly after midnight bring yesterday back.
  let day = findNextDate(schedule, today - 1, last)
  while (day !== null) {
    const spans = zone.spansAround(day)
    const at = firstRunOnDate(schedule, spans, day, after)
    const following = findNextDate(schedule, day + 1, last)
    if (at !== null) {
      if (spans.length === 1 || following !== day + 1) return at
      const other = firstRunOnDate(schedule, zone.spansAround(following), following, after)
      return Math.min(at, other ?? at)
    }
    day = following
  }
  return null
}

function localDay(spans: readonly OffsetSpan[], time: number): number {
  const offset = spans.find(({ end }) => time < end)?.offset ?? 0
  return Math.floor((time + offset) / DAY_MS)
}

/** The first run on a local date that is later than `after`, or null. */
function firstRunOnDate(
  schedule: Schedule,
  spans: readonly OffsetSpan[],
  day: number,
  after: number,
): number | null {
  const midnight = day * DAY_MS
  if (!schedule.isFixedTime) return firstWallClockRun(schedule, spans, midnight, after)
  const [minute = 0, hour = 0] = [schedule.minutes[0], schedule.hours[0]]
  const at = resolveFixedTime(spans, midnight + (hour * 60 + minute) * MINUTE_MS)
  return at > after ? at : null
}

/** The first time the clocks show it or, where they leave it out, the first instant after the gap. */
function resolveFixedTime(spans: readonly OffsetSpan[], wall: number): number {
  const span = spans.find(({ end, offset }) => wall < end + offset)
  if (span === undefined) throw new Error('the spans of a date hold all of it')
  return Math.max(wall - span.offset, span.start)
}

/** Whenever the clocks show it: what they leave out is skipped, what they show twice runs twice. */
function firstWallClockRun(
  schedule: Schedule,
  spans: readonly OffsetSpan[],
  midnight: number,
  after: number,
): number | null {
  for (const { start, end, offset } of spans) {
    const passed = Math.floor((after + offset - midnight) / MINUTE_MS) + 1
    const begun = Math.ceil((start + offset - midnight) / MINUTE_MS)
    const minute = nextMinute(schedule, Math.max(passed, begun, 0))
    if (minute === null) continue
    const wall = midnight + minute * MINUTE_MS
    if (wall < end + offset) return wall - offset
  }
  return null
}

/** The first minute of a day, from the given one on, that the schedule names. */
function nextMinute({ minutes, hours }: Schedule, from: number): number | null {
  const hour = Math.floor(from / 60)
  for (const candidate of hours) {
    if (candidate < hour) continue
    const minute = candidate === hour ? minutes.find((value) => value >= from % 60) : minutes[0]
    if (minute !== undefined) return candidate * 60 + minute
  }
  return null
}
