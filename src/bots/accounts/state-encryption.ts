import type { StorageState } from '../browser/pool/browser-slot.ts'
import type { SecretBox } from '../../lib/crypto/secret-box.ts'
import type { AccountPlatformName } from './sites.ts'
import { parseStorageState } from './storage-state.ts'

/** The stored state was encrypted with another key or for another account. */
export class UnreadableBrowserStateError extends Error {
  override readonly name = 'UnreadableBrowserStateError'

  constructor(account: string, cause?: unknown) {
    super(`the stored state of the bot account ${account} cannot be read`, { cause })
  }
}

/** Encrypts and decrypts the stored states, each bound to the name of its account. */
export function createBrowserStateCipher(secretBox: SecretBox) {
  const labelOf = (name: string) => `bot account ${name}`
  const open = (name: string, sealed: Buffer): string => {
    try {
      return secretBox.open(sealed, labelOf(name))
    } catch (error) {
      throw new UnreadableBrowserStateError(name, error)
    }
  }
  return {
    seal: (name: string, state: StorageState): Buffer =>
      secretBox.seal(JSON.stringify(state), labelOf(name)),
    unseal(platform: AccountPlatformName, name: string, sealed: Buffer): StorageState {
      const read = parseStorageState(platform, open(name, sealed))
      if (read.isValid) return read.state
      throw new UnreadableBrowserStateError(name)
    },
  }
}
