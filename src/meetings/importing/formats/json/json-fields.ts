import { parseClockTime } from '../clock-times.ts'
import { failAt, type ProblemList } from '../found-transcript.ts'
import { findElementLine } from './json-places.ts'
import { MAX_LINE_CHARS } from '../text-lines.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** Adds a problem of one element to the list. Returns null, in place of the element. */
export type ElementFailure = (reason: string) => null

const MAX_SECONDS = 7 * 24 * 3600

export function isJson(text: string): boolean {
  return /^\s*(?:\{|\[\s*[{\]])/.test(text)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Converts every element of a list, and fails with the lines of those that cannot be read. */
export function readElements<Element>(
  {
    text,
    key,
    name,
    problems,
  }: { text: string; key: string | null; name: string; problems: ProblemList },
  list: readonly unknown[],
  read: (item: JsonObject, fail: ElementFailure) => Element | null,
): Element[] {
  const elements = list.map((item, i) => {
    const fail: ElementFailure = (reason) => {
      problems.add(findElementLine(text, key, i), `${name} ${i + 1} ${reason}`)
      return null
    }
    return isObject(item) ? read(item, fail) : fail('is not an object')
  })
  problems.throwIfAny()
  return elements.filter((element) => element !== null)
}

export function requireList(value: unknown, reason: string): readonly unknown[] {
  return Array.isArray(value) ? value : failAt(1, reason)
}

/** A text that is not empty; otherwise null. */
export function readText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

export function readSpokenText(
  given: unknown,
  names: readonly string[],
  fail: ElementFailure,
): string | null {
  if (typeof given !== 'string')
    return fail(`has no text ${names.map((name) => `“${name}”`).join(' or ')}`)
  const limit = MAX_LINE_CHARS.toLocaleString('en')
  return given.length > MAX_LINE_CHARS ? fail(`has a text of more than ${limit} characters`) : given
}

export function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
}

/** An instant in ISO 8601 with its time zone; otherwise null. */
export function readInstant(value: unknown): Date | null {
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/
  return typeof value === 'string' && form.test(value) ? readDate(new Date(value)) : null
}

/** A time in milliseconds since 1970, or in ISO 8601. */
export function readTimestamp(value: unknown): Date | null {
  return typeof value === 'number' ? readDate(new Date(value)) : readInstant(value)
}

function readDate(at: Date): Date | null {
  return Number.isNaN(at.getTime()) ? null : at
}

export function durationBetween(from: Date | null, to: Date | null): number | null {
  return from === null || to === null ? null : Math.max(0, to.getTime() - from.getTime())
}

/** Seconds as a number or as text, or a time such as `00:01:23`, in milliseconds. Null without a time. */
export function readSeconds(value: unknown, fail: ElementFailure): number | null {
  if (value === undefined || value === null || value === '') return null
  const seconds = typeof value === 'number' ? value : Number(value)
  if (Number.isFinite(seconds)) {
    const isPossible = seconds >= 0 && seconds <= MAX_SECONDS
    return isPossible
      ? Math.round(seconds * 1000)
      : fail('has a time before the start or after 168 hours')
  }
  const time = parseClockTime(typeof value === 'string' ? value : '')
  return 'problem' in time ? fail(`has a time that is not one: ${time.problem}`) : time.ms
}
