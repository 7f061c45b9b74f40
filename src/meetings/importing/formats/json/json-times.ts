import { DAY_MS } from '../../../../lib/time/durations.ts'
import type { FoundSegment } from '../found-transcript.ts'
import { isObject, readInstant, readSeconds, type ElementFailure } from './json-fields.ts'
import { firstAt } from './json-paths.ts'
import type { JsonShape } from './json-shapes.ts'

export type TimeUnit = NonNullable<JsonShape['unit']>

/** People say about 15 characters in a second, and 0.015 in a millisecond. */
const MIN_CHARS_PER_SECOND = 0.5

/** A time in milliseconds, since 1970 if it is an instant. Null without a time. */
export function readTime(value: unknown, unit: TimeUnit, fail: ElementFailure): number | null {
  if (value === undefined || value === null) return null
  if (unit === 'instants') {
    // Vexa writes dates in UTC without saying so.
    const at = readInstant(value) ?? readInstant(`${typeof value === 'string' ? value : ''}Z`)
    return at === null
      ? fail('has a time that is no date such as 2026-11-15T08:30:00Z')
      : at.getTime()
  }
  const isScaled = unit === 'milliseconds' && Number.isFinite(Number(value))
  return readSeconds(isScaled ? Number(value) / 1000 : value, fail)
}

/** The unit of the times in a list, by how fast people would have to speak. */
export function guessUnit(items: readonly unknown[], shape: JsonShape): TimeUnit {
  let [chars, spoken, first, last] = [0, 0, Infinity, 0]
  for (const item of items) {
    if (!isObject(item)) continue
    if ('start_ms' in item || 'startMs' in item) return 'milliseconds'
    const start = Number(firstAt(item, shape.start))
    const text = firstAt(item, shape.text)
    if (!Number.isFinite(start) || typeof text !== 'string') continue
    const end = Number(firstAt(item, shape.end))
    chars += text.length
    if (end > start) spoken += end - start
    first = Math.min(first, start)
    last = Math.max(last, start)
  }
  const units = spoken || last - first
  return units > 0 && chars / units < MIN_CHARS_PER_SECOND ? 'milliseconds' : 'seconds'
}

/** Instants become times since the given start, or since the first text. */
export function placeInstants(
  texts: readonly FoundSegment[],
  given: Date | null,
): { startedAt: Date | null; segments: FoundSegment[] } {
  const firstMs = texts.reduce(
    (least, { startMs }) => Math.min(least, startMs ?? Infinity),
    Infinity,
  )
  if (firstMs === Infinity) return { startedAt: given, segments: [...texts] }
  const givenMs = given?.getTime() ?? Infinity
  const isNear = givenMs <= firstMs && firstMs - givenMs < DAY_MS
  const originMs = isNear ? givenMs : firstMs
  const since = (ms: number | null) => (ms === null ? null : ms - originMs)
  return {
    startedAt: new Date(originMs),
    segments: texts.map((text) => ({
      ...text,
      startMs: since(text.startMs),
      endMs: since(text.endMs),
    })),
  }
}
