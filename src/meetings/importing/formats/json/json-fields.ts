import { errorMessageOf } from '../../../../lib/error-code.ts'
import { failAt, type ProblemList } from '../found-transcript.ts'
import { parseClockTime, MAX_LINE_CHARS } from '../text-lines.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** Adds a problem of an element to the list. Returns null, to use instead of the element. */
export type ElementFailure = (reason: string) => null

const MAX_SECONDS = 7 * 24 * 3600

const MAX_DEPTH = 64

export function isJson(text: string): boolean {
  return /^\s*(?:\{|\[\s*[{\]])/.test(text)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Converts every element of a list. Fails with the lines of the elements that cannot be read. */
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

/** The value if it is a text that is not empty; otherwise null. */
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

/** Reads an instant in ISO 8601 with a time zone; null for any other value. */
export function readInstant(value: unknown): Date | null {
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/
  return typeof value === 'string' && form.test(value) ? readDate(new Date(value)) : null
}

/** Reads a time in milliseconds since 1970 or in ISO 8601. */
export function readTimestamp(value: unknown): Date | null {
  return typeof value === 'number' ? readDate(new Date(value)) : readInstant(value)
}

function readDate(at: Date): Date | null {
  return Number.isNaN(at.getTime()) ? null : at
}

export function durationBetween(from: Date | null, to: Date | null): number | null {
  return from === null || to === null ? null : Math.max(0, to.getTime() - from.getTime())
}

/** Reads seconds (a number or text) or a time such as `00:01:23`, in milliseconds. Null if there is none. */
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

/** Parses JSON. Fails with the line of the first mistake, or of a place where it is nested too deeply. */
export function parseJson(text: string): unknown {
  refuseDeepNesting(text)
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const message = errorMessageOf(error)
    const [, line] = /\(line (\d+) column \d+\)/.exec(message) ?? []
    const [, position] = /at position (\d+)/.exec(message) ?? []
    const found = Number(
      line ?? lineAt(text, position === undefined ? text.length : Number(position)),
    )
    return failAt(found, 'The JSON is not valid here. Was the file cut off?')
  }
}

/** Finds the line of an element in the first array with this key, or in the outermost array if the key is null. */
export function findElementLine(text: string, key: string | null, index: number): number {
  const start = key === null ? text.indexOf('[') : findKey(text, key)
  let depth = 0
  let element = 0
  /** Where the element begins; null until its first character is found. */
  let position: number | null = null
  const isSpace = (character: number) =>
    character === 0x20 || (character >= 0x09 && character <= 0x0d)
  walkJson(text, start, (character, at) => {
    const isSeparator = character === 0x2c && depth === 1
    if (depth === 1 && element === index && !isSeparator && !isSpace(character)) position = at
    if (character === 0x5b || character === 0x7b) depth += 1
    else if (character === 0x5d || character === 0x7d) depth -= 1
    else if (isSeparator) element += 1
    return position !== null || depth === 0
  })
  return lineAt(text, position ?? start)
}

function findKey(text: string, key: string): number {
  const match = new RegExp(`"${key}"\\s*:\\s*\\[`).exec(text)
  return match === null ? 0 : match.index + match[0].length - 1
}

function refuseDeepNesting(text: string): void {
  let depth = 0
  walkJson(text, 0, (character, at) => {
    if (character === 0x5b || character === 0x7b) depth += 1
    else if (character === 0x5d || character === 0x7d) depth -= 1
    if (depth > MAX_DEPTH)
      failAt(lineAt(text, at), `The JSON has more than ${MAX_DEPTH} levels of nesting`)
    return false
  })
}

/** Visits every character outside strings, and the quote before each string, until `visit` returns true. */
function walkJson(text: string, from: number, visit: (code: number, at: number) => boolean): void {
  let isInString = false
  for (let i = from; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (isInString) {
      if (code === 0x5c) i += 1
      else if (code === 0x22) isInString = false
    } else {
      if (visit(code, i)) return
      isInString = code === 0x22
    }
  }
}

function lineAt(text: string, position: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1))
    line += 1
  return line
}

/** Returns the values at a path such as `channels.*.words`, where `*` stands for every element of a list. */
export function listAt(value: unknown, path: string): unknown[] {
  let values = [value]
  for (const key of path === '' ? [] : path.split('.')) {
    values = values.flatMap((one) => {
      if (key === '*') return Array.isArray(one) ? one : []
      if (Array.isArray(one))
        return /^\d+$/.test(key) ? one.slice(Number(key), Number(key) + 1) : []
      return isObject(one) && Object.hasOwn(one, key) ? [one[key]] : []
    })
  }
  return values
}

/** Returns the first value other than null that one of the paths has. */
export function firstAt(value: unknown, paths: readonly string[]): unknown {
  for (const path of paths) {
    const found = listAt(value, path).find((one) => one !== null && one !== undefined)
    if (found !== undefined) return found
  }
  return undefined
}
