import type { SecretBox } from '../lib/crypto.ts'

/** Binds the encrypted credential to its connection. */
const labelOf = (connectionId: string) => `connection:${connectionId}`

export function sealCredential(box: SecretBox, connectionId: string, credential: object): Buffer {
  return box.seal(JSON.stringify(credential), labelOf(connectionId))
}

/** The provider checks the shape. */
export function openCredential(box: SecretBox, connectionId: string, sealed: Buffer): unknown {
  return JSON.parse(box.open(sealed, labelOf(connectionId))) as unknown
}
