import { hash, timingSafeEqual } from 'node:crypto'

export function sha256(text: string | Buffer): Buffer {
  return hash('sha256', text, 'buffer')
}

/** The same as text, in one step: for the path of every request. */
export function sha256Base64(text: string): string {
  return hash('sha256', text, 'base64')
}

/** Equality that takes as long for a near miss as for a far one. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b))
}
