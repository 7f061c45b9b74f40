import { randomBytes, randomUUID } from 'node:crypto'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Uniform random base62: bytes past the largest multiple of 62 are thrown away, so no character is favoured. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62]
    }
  }
  return text
}

/** A number as base62 of fixed width. */
export function toBase62(value: number, width: number): string {
  let text = ''
  for (let rest = value; text.length < width; rest = Math.floor(rest / 62)) {
    text = `${BASE62[rest % 62]}${text}`
  }
  return text
}

/** Identifier of a row: what it is, then enough randomness never to meet again. */
export function newId(kind: string): string {
  return `${kind}_${randomBase62(20)}`
}

/** The same, in the order of the time at which they were made: kind to an index that grows. */
export function newOrderedId(kind: string, at: Date | number): string {
  // Of a UUID those groups in which every bit is random: eighty bits within one millisecond.
  const uuid = randomUUID()
  return `${kind}_${toBase62(Number(at), 8)}${uuid.slice(0, 8)}${uuid.slice(24)}`
}

/** When an ordered id was made, in milliseconds; null: it is none. */
export function timeOfId(id: string): number | null {
  const [, digits] = /^[a-z]+_([0-9A-Za-z]{8})/.exec(id) ?? []
  if (digits === undefined) return null
  let value = 0
  for (const digit of digits) value = value * 62 + BASE62.indexOf(digit)
  return value
}
