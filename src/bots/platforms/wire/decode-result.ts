/** What came of bytes that a stranger sent: something typed, or why not. Decoders never throw. */
export type DecodeResult<T> =
  | { isDecoded: true; value: T }
  | { isDecoded: false; why: DecodeFailure }

/** `unknown`: sound as far as it goes, but not laid out as anything we know. */
export type DecodeFailure = 'too large' | 'cut off' | 'malformed' | 'unknown'

export function decoded<T>(value: T): DecodeResult<T> {
  return { isDecoded: true, value }
}

export function undecodable(why: DecodeFailure): { isDecoded: false; why: DecodeFailure } {
  return { isDecoded: false, why }
}
