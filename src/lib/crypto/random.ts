import { randomBytes, randomUUID } from 'node:crypto'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Uniform random base62 text. Bytes above the largest multiple of 62 are discarded, so that all characters are equally likely. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62]
    }
  }
  return text
}

/** Encodes a number as base62 with a fixed number of digits. */
export function toBase62(value: number, width: number): string {
  let text = ''
  for (let rest = value; text.length < width; rest = Math.floor(rest / 62)) {
    text = `${BASE62[rest % 62]}${text}`
  }
  return text
}

/** A random identifier with the kind of object as prefix, such as `tok_…`; long enough to be unique. */
export function newId(kind: string): string {
  return `${kind}_${randomBase62(20)}`
}

/** A unique identifier that sorts by creation time, so that database indexes grow at the end. */
export function newOrderedId(kind: string, at: Date | number): string {
  // The two groups of a UUID in which every bit is random: 80 random bits for ids of the same millisecond.
  const uuid = randomUUID()
  return `${kind}_${toBase62(Number(at), 8)}${uuid.slice(0, 8)}${uuid.slice(24)}`
}

/** Creation time of an ordered id in milliseconds; null when the text is not an ordered id. */
export function creationMsOfOrderedId(id: string): number | null {
  const [, digits] = /^[a-z]+_([0-9A-Za-z]{8})/.exec(id) ?? []
  if (digits === undefined) return null
  let value = 0
  for (const digit of digits) value = value * 62 + BASE62.indexOf(digit)
  return value
}
