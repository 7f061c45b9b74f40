import type { SecretBox } from '../../lib/crypto.ts'

const LABEL = 'recap mail unsubscribe'
const TOKEN = /^[\w-]{40,300}$/

/** The secret part of a link that turns off recap mail for a user. Every node with the master key understands it. */
export function createUnsubscribeToken(box: SecretBox, userId: string): string {
  return box.seal(userId, LABEL).toString('base64url')
}

/** The user of a token. Null if this instance has not made the token for a user. */
export function readUnsubscribeToken(box: SecretBox, token: string): string | null {
  return openToken(box, token, LABEL)
}

/** What is sealed in the token of a link. Null if this instance has not made the token with this label. */
export function openToken(box: SecretBox, token: string, label: string): string | null {
  if (!TOKEN.test(token)) return null
  const sealed = Buffer.from(token, 'base64url')
  try {
    return box.open(sealed, label)
  } catch (error) {
    // The box throws errors of several kinds. All of them say that it has not sealed these bytes.
    if (error instanceof Error) return null
    throw error
  }
}
