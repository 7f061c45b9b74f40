import { errorMessageOf } from '../../lib/error-code.ts'

const MAX_DEPTH = 64
/** More values than any request needs. Parsing and checking them takes far longer than reading a long text. */
const MAX_VALUES = 20_000

/** The length that fits into the body of an ordinary route. */
export const MAX_TEXT_LENGTH = 64 * 1024

export type ParsedJson =
  | { value: unknown }
  | { problem: { text?: string; hint?: string } }
  /** The path of a text or name that is longer than `MAX_TEXT_LENGTH`. */
  | { longText: string }

/**
 * Parses UTF-8 with or without a byte order mark. Text that is nested too deeply or has too many values is not parsed.
 * With `longTextField`, only this field may have a long text.
 */
export function parseJsonBytes(
  bytes: Uint8Array,
  longTextField?: string,
  maxValues = MAX_VALUES,
): ParsedJson {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const hint = 'Encode the JSON text as UTF-8'
    return { problem: { text: 'The request body is not valid UTF-8', hint } }
  }
  if (text === '') return { value: undefined }
  const excess = findExcess(text, maxValues)
  if (excess !== null) return { problem: { text: `The request body has more than ${excess}` } }
  try {
    const value: unknown = JSON.parse(text)
    const isChecked = longTextField !== undefined && text.length > MAX_TEXT_LENGTH
    const longText = isChecked ? findLongText(value, MAX_TEXT_LENGTH, longTextField) : null
    return longText === null ? { value } : { longText }
  } catch (error) {
    return { problem: { hint: errorMessageOf(error).slice(0, 200) } }
  }
}

/** The path of a text or name that is longer than `maxChars`. Fields with the name `except` may be longer. */
export function findLongText(value: unknown, maxChars: number, except: string): string | null {
  const open: Array<{ value: unknown; path: string[] }> = [{ value, path: [] }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path } = next
    if (typeof next.value === 'string' && next.value.length > maxChars) return path.join('.')
    if (typeof next.value !== 'object' || next.value === null) continue
    for (const [name, field] of Object.entries(next.value)) {
      const fieldPath = [...path, name.slice(0, 64)]
      if (name.length > maxChars) return fieldPath.join('.')
      if (name !== except) open.push({ value: field, path: fieldPath })
    }
  }
  return null
}

function findExcess(text: string, maxValues: number): string | null {
  let depth = 0
  let commas = 0
  let isInString = false
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charCodeAt(i)
    if (isInString) {
      if (char === 0x5c) i += 1
      else if (char === 0x22) isInString = false
    } else if (char === 0x22) isInString = true
    else if (char === 0x2c) commas += 1
    else if (char === 0x7b || char === 0x5b) depth += 1
    else if (char === 0x7d || char === 0x5d) depth -= 1
    if (depth > MAX_DEPTH) return `${MAX_DEPTH} levels of nesting`
    if (commas >= maxValues) return `${maxValues.toLocaleString('en')} values`
  }
  return null
}
