import { hash, timingSafeEqual } from 'node:crypto'

export function sha256(text: string | Buffer): Buffer {
  return hash('sha256', text, 'buffer')
}

/** SHA-256 as base64 text. Faster than encoding a buffer, which matters because it runs for every API request. */
export function sha256Base64(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64')
}

/** Compares two secrets in constant time, so that timing does not reveal how much of a guess is right. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b))
}
