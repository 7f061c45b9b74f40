import type { Clock } from '../../lib/clock.ts'

const MAX_MS = 24 * 3_600_000
const SECONDS = /^\d+$/
/** The three ways in which RFC 9110 writes a date; the last one names no zone and means UTC. */
const DATE = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? /
const ZONE = / GMT$/

type Field = string | string[] | undefined

/** How long a receiver asks to be left alone, at most a day; null when it does not, or not clearly. */
export function retryAfterMs(headers: Record<string, Field>, clock: Clock): number | null {
  const value = first(headers['retry-after'])
  if (value === '') return null
  if (SECONDS.test(value)) return Math.min(Number(value) * 1_000, MAX_MS)
  const until = dateIn(value)
  if (until === null) return null
  // By the receiver's own clock where it tells the time: ours may be another.
  const since = dateIn(first(headers['date'])) ?? clock.now().getTime()
  return Math.min(Math.max(until - since, 0), MAX_MS)
}

function first(field: Field): string {
  return (Array.isArray(field) ? field[0] : field)?.trim() ?? ''
}

function dateIn(text: string): number | null {
  if (!DATE.test(text)) return null
  const time = Date.parse(ZONE.test(text) ? text : `${text} GMT`)
  return Number.isNaN(time) ? null : time
}
