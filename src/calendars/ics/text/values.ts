import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../lib/time/durations.ts'

/** Reverses the escapes of a text value: `\n`, `\,`, `\;` and `\\`. */
export function unescapeText(value: string): string {
  return value.replaceAll(/\\([\s\S])/g, (_, character: string) =>
    character === 'n' || character === 'N' ? '\n' : character,
  )
}

/** A local date or time without its zone, in milliseconds as if it were UTC. */
export type WallTime = { wall: number; isDate: boolean; isUtc: boolean }

const DATE_TIME = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z)?)?$/i

/** Parses `20261117`, `20261117T090000` or `20261117T090000Z`; null if it is not an existing date. */
export function parseWallTime(value: string): WallTime | null {
  const parts = DATE_TIME.exec(value.trim())
  if (parts === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  // Date.UTC reads years below 100 as 19xx.
  if (year < 100 || hour > 23 || minute > 59 || second > 60) return null
  // JavaScript has no leap seconds; RFC 5545 section 3.3.12 allows 59 instead.
  const wall = Date.UTC(year, month - 1, day, hour, minute, Math.min(second, 59))
  const date = new Date(wall)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  return { wall, isDate: parts[4] === undefined, isUtc: parts[7] !== undefined }
}

const DURATION =
  /^([+-])?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/i

/** Parses `P1D`, `PT1H30M` or `P2W`; null if it is negative or not a duration. */
export function parseDuration(value: string): { days: number; ms: number } | null {
  const parts = DURATION.exec(value.trim())
  if (parts === null || parts[1] === '-') return null
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(2)
    .map((part) => Number(part ?? 0))
  return {
    days: weeks * 7 + days,
    ms: hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS,
  }
}

/** Parses a UTC offset such as `+0100` or `-033000` into milliseconds; null if it is not an offset. */
export function parseUtcOffset(value: string): number | null {
  const parts = /^([+-])(\d{2}):?(\d{2})(?::?(\d{2}))?$/.exec(value.trim())
  if (parts === null) return null
  const [, sign, hours, minutes, seconds = 0] = parts
  const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS
  if (size > DAY_MS) return null
  return sign === '-' ? -size : size
}

/** Formats as `2026-11-17`. */
export function formatDate(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10)
}

/** Formats as `2026-11-17T09:00:00Z`. */
export function formatInstant(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, -'.000Z'.length)}Z`
}

export function startOfDay(wall: number): number {
  return Math.floor(wall / DAY_MS) * DAY_MS
}
