import { gunzipSync, inflateSync } from 'node:zlib'
import { errorCode } from '../../../lib/error-code.ts'
import { tryParseJson } from '../../../lib/text/try-parse-json.ts'

/** The result of decoding untrusted bytes: a value, or why there is none. Decoders never throw. */
export type DecodeResult<T> =
  | { isDecoded: true; value: T }
  | { isDecoded: false; why: DecodeFailureReason }

/** `unknown`: valid bytes, but in no format that we know. */
export type DecodeFailureReason = 'too large' | 'cut off' | 'malformed' | 'unknown'

const ZLIB_FAILURES: Readonly<Record<string, DecodeFailureReason>> = {
  ERR_BUFFER_TOO_LARGE: 'too large',
  Z_BUF_ERROR: 'cut off',
  Z_DATA_ERROR: 'malformed',
  Z_NEED_DICT: 'malformed',
  Z_STREAM_ERROR: 'malformed',
  Z_MEM_ERROR: 'too large',
}

/** The prefix before a message's JSON has only a few bytes. */
const MAX_PREFIX = 64
/** How many brackets are tried as the start of the JSON. Few, because each try may parse the whole text. */
const MAX_TRIES = 4
const FILLERS: ReadonlySet<string> = new Set(['\0', ' ', '\t', '\r', '\n'])

export function decodeSuccess<T>(value: T): DecodeResult<T> {
  return { isDecoded: true, value }
}

export function decodeFailure(why: DecodeFailureReason): {
  isDecoded: false
  why: DecodeFailureReason
} {
  return { isDecoded: false, why }
}

/**
 * Returns the bytes, decompressed if compressed data starts at one of the given offsets. Decompresses only once and
 * stops at `maxBytes`, even if the data announces a smaller size.
 */
export function decompressIfCompressed(
  bytes: Uint8Array,
  { maxBytes, offsets = [0] }: { maxBytes: number; offsets?: readonly number[] },
): DecodeResult<Uint8Array> {
  if (bytes.length > maxBytes) return decodeFailure('too large')
  const start = offsets.find((offset) => isGzip(bytes, offset) || isZlib(bytes, offset))
  if (start === undefined) return decodeSuccess(bytes)
  const packed = bytes.subarray(start)
  const options = { maxOutputLength: maxBytes }
  try {
    return decodeSuccess(
      isGzip(packed, 0) ? gunzipSync(packed, options) : inflateSync(packed, options),
    )
  } catch (error) {
    const why = ZLIB_FAILURES[errorCode(error)]
    if (why === undefined) throw error
    return decodeFailure(why)
  }
}

function isGzip(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x1f && bytes[at + 1] === 0x8b && bytes[at + 2] === 0x08
}

/** True if zlib data of the usual window size starts here. Smaller sizes look like uncompressed messages. */
function isZlib(bytes: Uint8Array, at: number): boolean {
  const [method, flags] = [bytes[at], bytes[at + 1]]
  return method === 0x78 && flags !== undefined && (method * 256 + flags) % 31 === 0
}

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

/** The length without trailing padding. A regular expression would scan each run of blanks repeatedly. */
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
