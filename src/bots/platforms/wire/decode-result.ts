/** The result of decoding untrusted bytes: a value, or why there is none. Decoders never throw. */
export type DecodeResult<T> =
  | { isDecoded: true; value: T }
  | { isDecoded: false; why: DecodeFailure }

/** `unknown`: valid bytes, but in no format that we know. */
export type DecodeFailure = 'too large' | 'cut off' | 'malformed' | 'unknown'

export function decoded<T>(value: T): DecodeResult<T> {
  return { isDecoded: true, value }
}

export function undecodable(why: DecodeFailure): { isDecoded: false; why: DecodeFailure } {
  return { isDecoded: false, why }
}
