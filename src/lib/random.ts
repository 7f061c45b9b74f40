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
export function newOrderedId(kind: string, at: Date): string {
  return `${kind}_${toBase62(at.getTime(), 8)}${randomUUID().replaceAll('-', '')}`
}
