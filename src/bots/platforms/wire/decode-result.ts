/** The result of decoding untrusted bytes: a value, or why there is none. Decoders never throw. */
export type DecodeResult<T> =
  | { isDecoded: true; value: T }
  | { isDecoded: false; why: DecodeFailureReason }

/** `unknown`: valid bytes, but in no format that we know. */
export type DecodeFailureReason = 'too large' | 'cut off' | 'malformed' | 'unknown'

export function decodeSuccess<T>(value: T): DecodeResult<T> {
  return { isDecoded: true, value }
}

export function decodeFailure(why: DecodeFailureReason): {
  isDecoded: false
  why: DecodeFailureReason
} {
  return { isDecoded: false, why }
}
