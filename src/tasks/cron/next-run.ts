import { DAY_MS } from '../../lib/time/durations.ts'
import {
  findInstantOfLocalTime,
  getZoneOffsets,
  type OffsetSpan,
} from '../../lib/time/zone-offsets.ts'
import { describeClockChange } from './clock-change-note.ts'
import { findNextRunDay } from './cron-fields.ts'
import type { Schedule } from './parse-schedule.ts'

export type ScheduledRun = {
  at: Date
  /** Describes for people how a clock change affects this run. Null for almost all runs. */
  note: string | null
}

const MINUTE_MS = 60_000
/** 30 years, including leap days. 29 February recurs within eight years. */
const SEARCH_LIMIT_DAYS = 10_958
/** The latest start time for which the whole search fits into a `Date`. */
const MAX_TIME = 8.64e15 - (SEARCH_LIMIT_DAYS + 10) * DAY_MS

/** The first run after a time, or null if there is none within 30 years. */
export function findNextRunTime(schedule: Schedule, after: Date): Date | null {
  const at = findNextTime(schedule, after.getTime())
  return at === null ? null : new Date(at)
}

/** The next `count` runs in ascending order, or fewer if there are no more. */
export function listNextRuns(schedule: Schedule, after: Date, count: number): ScheduledRun[] {
  const runs: ScheduledRun[] = []
  let time = findNextTime(schedule, after.getTime())
  while (time !== null && runs.length < count) {
    runs.push({ at: new Date(time), note: describeClockChange(schedule, time) })
    time = findNextTime(schedule, time)
  }
  return runs
}

function findNextTime(schedule: Schedule, after: number): number | null {
  if (Number.isNaN(after))
    throw new RangeError('the time after which to search is not a valid date')
  if (Math.abs(after) > MAX_TIME) return null
  const zone = getZoneOffsets(schedule.timeZone)
  const today = localDay(zone.spansAround(Math.floor(after / DAY_MS)), after)
  const last = today + SEARCH_LIMIT_DAYS
  // Starts with the previous day, because clocks that are set back after midnight show that day again.
  let day = findNextRunDay(schedule, today - 1, last)
  while (day !== null) {
    const spans = zone.spansAround(day)
    const at = firstRunOnDate(schedule, spans, day, after)
    const following = findNextRunDay(schedule, day + 1, last)
    if (at !== null) {
      if (spans.length === 1 || following !== day + 1) return at
      const followingAt = firstRunOnDate(schedule, zone.spansAround(following), following, after)
      return Math.min(at, followingAt ?? at)
    }
    day = following
  }
  return null
}

function localDay(spans: readonly OffsetSpan[], time: number): number {
  const offset = spans.find(({ end }) => time < end)?.offset ?? 0
  return Math.floor((time + offset) / DAY_MS)
}

/** The first run on a local date after the given time, or null. */
function firstRunOnDate(
  schedule: Schedule,
  spans: readonly OffsetSpan[],
  day: number,
  after: number,
): number | null {
  const midnight = day * DAY_MS
  if (!schedule.isFixedTime) return firstWallClockRun(schedule, spans, midnight, after)
  const [minute = 0, hour = 0] = [schedule.minutes[0], schedule.hours[0]]
  const at = findInstantOfLocalTime(spans, midnight + (hour * 60 + minute) * MINUTE_MS)
  return at > after ? at : null
}

/** The first matching local time. If a clock change skips a time, it has no run; if it repeats a time, it has two. */
function firstWallClockRun(
  schedule: Schedule,
  spans: readonly OffsetSpan[],
  midnight: number,
  after: number,
): number | null {
  for (const { start, end, offset } of spans) {
    const afterMinute = Math.floor((after + offset - midnight) / MINUTE_MS) + 1
    const spanMinute = Math.ceil((start + offset - midnight) / MINUTE_MS)
    const minute = nextMinute(schedule, Math.max(afterMinute, spanMinute, 0))
    if (minute === null) continue
    const wall = midnight + minute * MINUTE_MS
    if (wall < end + offset) return wall - offset
  }
  return null
}

/** The first minute of the day, at or after `from`, at which the schedule runs, or null. */
function nextMinute({ minutes, hours }: Schedule, from: number): number | null {
  const hour = Math.floor(from / 60)
  for (const candidate of hours) {
    if (candidate < hour) continue
    const minute = candidate === hour ? minutes.find((value) => value >= from % 60) : minutes[0]
    if (minute !== undefined) return candidate * 60 + minute
  }
  return null
}
