import type { Clock } from '../lib/time/clock.ts'
import { DAY_MS } from '../lib/time/durations.ts'

const MAX_MS = DAY_MS
const SECONDS = /^\d+$/
/** The three date formats of RFC 9110. The last has no time zone and means UTC. */
const DATE = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? /
const ZONE = / GMT$/

type HeaderValue = string | string[] | undefined

/** The wait that a Retry-After header asks for, at most one day. Null if the header is missing or invalid. */
export function parseRetryAfterMs(
  headers: Record<string, HeaderValue>,
  clock: Clock,
): number | null {
  const value = first(headers['retry-after'])
  if (value === '') return null
  if (SECONDS.test(value)) return Math.min(Number(value) * 1_000, MAX_MS)
  const until = parseHttpDate(value)
  if (until === null) return null
  // Prefers the receiver's Date header, because this machine's clock may differ.
  const since = parseHttpDate(first(headers['date'])) ?? clock.now().getTime()
  return Math.min(Math.max(until - since, 0), MAX_MS)
}

function first(field: HeaderValue): string {
  return (Array.isArray(field) ? field[0] : field)?.trim() ?? ''
}

function parseHttpDate(text: string): number | null {
  if (!DATE.test(text)) return null
  const time = Date.parse(ZONE.test(text) ? text : `${text} GMT`)
  return Number.isNaN(time) ? null : time
}
