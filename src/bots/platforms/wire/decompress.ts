import { gunzipSync, inflateSync } from 'node:zlib'
import { errorCode } from '../../../lib/error-code.ts'
import {
  decodeSuccess,
  decodeFailure,
  type DecodeResult,
  type DecodeFailureReason,
} from './decode-result.ts'

const ZLIB_FAILURES: Readonly<Record<string, DecodeFailureReason>> = {
  ERR_BUFFER_TOO_LARGE: 'too large',
  Z_BUF_ERROR: 'cut off',
  Z_DATA_ERROR: 'malformed',
  Z_NEED_DICT: 'malformed',
  Z_STREAM_ERROR: 'malformed',
  Z_MEM_ERROR: 'too large',
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

/** Whether zlib data of the usual window size starts here. Smaller sizes look like uncompressed messages. */
function isZlib(bytes: Uint8Array, at: number): boolean {
  const [method, flags] = [bytes[at], bytes[at + 1]]
  return method === 0x78 && flags !== undefined && (method * 256 + flags) % 31 === 0
}
