import {
  createCipheriv,
  createDecipheriv,
  randomBytes,
  hash,
  timingSafeEqual,
  randomUUID,
} from 'node:crypto'

/** Encrypts secrets for storage. Each value is bound to a label, so it can't be moved to another database row. */
export interface SecretBox {
  seal(plain: string, label: string): Buffer
  /** Throws if the key or label differs from the one given to `seal`, or if the bytes were changed. */
  open(sealed: Buffer, label: string): string
}

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function createSecretBox(key: Buffer): SecretBox {
  requireKeyLength(key)
  return {
    seal: (plain, label) => sealBytes(key, Buffer.from(plain), label),
    open: (sealed, label) => openBytes(key, sealed, label).toString('utf8'),
  }
}

/** AES-256-GCM. Layout: version, nonce, tag, ciphertext. */
export function sealBytes(key: Buffer, plain: Uint8Array, label: string): Buffer {
  requireKeyLength(key)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associatedData(label))
  const body = [cipher.update(plain), cipher.final()]
  return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), ...body])
}

/** Throws if the key or label differs from the one given to `sealBytes`, or if the bytes were changed. */
export function openBytes(key: Buffer, sealed: Buffer, label: string): Buffer {
  requireKeyLength(key)
  if (sealed[0] !== VERSION) throw new Error('the sealed secret has an unknown version')
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
  const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
  const body = sealed.subarray(1 + NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(associatedData(label)).setAuthTag(tag)
  return Buffer.concat([decipher.update(body), decipher.final()])
}

function requireKeyLength(key: Buffer): void {
  if (key.length !== 32) throw new Error('the key of a secret box must have 32 bytes')
}

function associatedData(label: string): Buffer {
  return Buffer.from(`${VERSION}:${label}`)
}

export function sha256(text: string | Buffer): Buffer {
  return hash('sha256', text, 'buffer')
}

/** SHA-256 as base64 text. Faster than encoding a buffer, which matters because it runs for every API request. */
export function sha256Base64(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64')
}

/** Compares two secrets in constant time, so that timing does not reveal how much of a guess is correct. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b))
}

/** Uniform random base62 text. Bytes above the largest multiple of 62 are discarded to keep it uniform. */
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

/** A random identifier that begins with the kind of object, such as `tok_…`, and is long enough to be unique. */
export function newId(kind: string): string {
  return `${kind}_${randomBase62(20)}`
}

/** A unique identifier that sorts by creation time, so that database indexes grow at the end. */
export function newOrderedId(kind: string, at: Date | number): string {
  // The two groups of a UUID in which every bit is random. They give 80 random bits to ids of the same millisecond.
  const uuid = randomUUID()
  return `${kind}_${toBase62(Number(at), 8)}${uuid.slice(0, 8)}${uuid.slice(24)}`
}

/** Creation time of an ordered id in milliseconds. Null if the text is not an ordered id. */
export function creationMsOfOrderedId(id: string): number | null {
  const [, digits] = /^[a-z]+_([0-9A-Za-z]{8})/.exec(id) ?? []
  if (digits === undefined) return null
  let value = 0
  for (const digit of digits) value = value * 62 + BASE62.indexOf(digit)
  return value
}
