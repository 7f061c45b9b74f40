import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts secrets for storage. Each value is bound to a label, so that it cannot be moved to another database row. */
export interface SecretBox {
  seal(plain: string, label: string): Buffer
  /** Throws when the key or the label differ from those given to `seal`, or the bytes were changed. */
  open(sealed: Buffer, label: string): string
}

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM. Layout: version, nonce, tag, ciphertext. */
export function createSecretBox(key: Buffer): SecretBox {
  if (key.length !== 32) throw new Error('the key of a secret box must have 32 bytes')
  return {
    seal(plain, label) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associatedData(label))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), body])
    },
    open(sealed, label) {
      if (sealed[0] !== VERSION) throw new Error('the sealed secret has an unknown version')
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
      const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
      const body = sealed.subarray(1 + NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(associatedData(label)).setAuthTag(tag)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}

function associatedData(label: string): Buffer {
  return Buffer.from(`${VERSION}:${label}`)
}
