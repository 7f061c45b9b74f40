import { tryParseJson } from '../../../../lib/text/try-parse-json.ts'
import { decodeSuccess, decodeFailure, type DecodeResult } from '../../wire/decode-result.ts'

/** The prefix before the JSON of a message has a few bytes. */
const MAX_PREFIX = 64
/** How many brackets are tried as the start of the JSON. Each try may parse the whole text, so many would be slow. */
const MAX_TRIES = 4
const FILLERS: ReadonlySet<string> = new Set(['\0', ' ', '\t', '\r', '\n'])

export function parseJsonText(text: string): DecodeResult<unknown> {
  const value = tryParseJson(text)
  return value === undefined ? decodeFailure('malformed') : decodeSuccess(value)
}

/** Parses the JSON after a short prefix, starting at the first bracket that begins valid JSON. */
export function decodeJsonAfterPrefix(text: string): DecodeResult<unknown> {
  const whole = text.slice(0, endOf(text))
  let at = -1
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    at = nextBracket(whole, at + 1)
    if (at === -1) break
    const found = parseJsonText(whole.slice(at))
    if (found.isDecoded) return found
  }
  return decodeFailure('malformed')
}

/**
 * The length without trailing padding. A loop, because a regular expression would scan each run of blanks repeatedly.
 */
function endOf(text: string): number {
  let end = text.length
  while (end > 0 && FILLERS.has(text.charAt(end - 1))) end -= 1
  return end
}

function nextBracket(text: string, from: number): number {
  for (let at = from; at < Math.min(text.length, MAX_PREFIX); at += 1) {
    if (text[at] === '[' || text[at] === '{') return at
  }
  return -1
}
