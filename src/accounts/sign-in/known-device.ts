import type { SecretBox } from '../../lib/crypto/secret-box.ts'
import { randomBase62 } from '../../lib/crypto/random.ts'

/**
 * Recognises a browser in which a user has signed in before, by an encrypted text that the browser keeps. It gives no
 * access: failed sign-ins from such a browser are only counted apart from those of strangers.
 */
export interface KnownDevices {
  /** The text for a browser in which the user has just signed in. */
  remember(userId: string): string
  /** The key under which failures of this browser are counted; null when the text is not one of this user. */
  findKey(text: string | null, userId: string): string | null
}

const LABEL = 'known device'

export function createKnownDevices(secretBox: SecretBox): KnownDevices {
  return {
    remember: (userId) =>
      secretBox.seal(`${randomBase62(20)} ${userId}`, LABEL).toString('base64url'),
    findKey(text, userId) {
      const [key = '', of] = openText(secretBox, text)?.split(' ') ?? []
      return of === userId ? key : null
    },
  }
}

/** Null for a text that this instance did not make. */
function openText(secretBox: SecretBox, text: string | null): string | null {
  if (text === null) return null
  try {
    return secretBox.open(Buffer.from(text, 'base64url'), LABEL)
  } catch {
    return null
  }
}
