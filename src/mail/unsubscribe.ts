import type { SecretBox } from '../lib/crypto.ts'

/** What an unsubscribe link turns off. The label binds a token to it. */
const LABELS = {
  recaps: 'recap mail unsubscribe',
  digest: 'digest mail unsubscribe',
  guest: 'guest recap mail unsubscribe',
  briefs: 'brief mail unsubscribe',
} as const

export type Unsubscription = {
  what: keyof typeof LABELS
  /** The id of a user, or the hash of a guest's address. */
  whom: string
}

const TOKEN = /^[\w-]{40,300}$/

/** The secret part of a link that turns off a kind of mail for somebody. Every node with the master key understands it. */
export function createUnsubscribeToken(box: SecretBox, { whom, what }: Unsubscription): string {
  return box.seal(whom, LABELS[what]).toString('base64url')
}

/** What a token turns off, and for whom. Null if this instance has not made the token. */
export function readUnsubscribeToken(box: SecretBox, token: string): Unsubscription | null {
  if (!TOKEN.test(token)) return null
  const sealed = Buffer.from(token, 'base64url')
  for (const what of ['recaps', 'digest', 'briefs', 'guest'] as const) {
    const whom = openOrNull(box, sealed, LABELS[what])
    if (whom !== null) return { what, whom }
  }
  return null
}

function openOrNull(box: SecretBox, sealed: Buffer, label: string): string | null {
  try {
    return box.open(sealed, label)
  } catch (error) {
    // The box throws errors of several kinds. All of them say that it has not sealed these bytes.
    if (error instanceof Error) return null
    throw error
  }
}
