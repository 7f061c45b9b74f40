import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from '../../lib/crypto/random.ts'

const KEY_PATTERN = /^sk_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/
const KEY_BODY_LENGTH = 'sk_'.length + 32

/** `sk_`, 32 random characters and a checksum, which lets the service reject a mistyped key without a database query. */
export function newApiKey(): string {
  const body = `sk_${randomBase62(32)}`
  return `${body}${checksum(body)}`
}

export function newSigningSecret(): string {
  return `ss_${randomBase62(43)}`
}

export function isWellFormedKey(key: string): boolean {
  if (!KEY_PATTERN.test(key)) return false
  return key.slice(KEY_BODY_LENGTH) === checksum(key.slice(0, KEY_BODY_LENGTH))
}

/** The parts of a key that may be shown in a list of tokens. */
export function extractApiKeyHints(key: string): { prefix: string; last4: string } {
  return { prefix: key.slice(0, 7), last4: key.slice(-4) }
}

function checksum(body: string): string {
  return toBase62(crc32(body), 6)
}
