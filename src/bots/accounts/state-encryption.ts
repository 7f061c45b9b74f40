import type { StorageState } from '../browser/pool/browser-slot.ts'
import type { SecretBox } from '../../lib/crypto/secret-box.ts'
import type { AccountPlatform } from './sites.ts'
import { parseStorageState } from './storage-state.ts'

/** The stored state was encrypted with another key or for another account. */
export class UnreadableStateError extends Error {
  override readonly name = 'UnreadableStateError'

  constructor(account: string, cause?: unknown) {
    super(`the stored state of the bot account ${account} cannot be read`, { cause })
  }
}

/** Encrypts and decrypts the stored states, each bound to the name of its account. */
export function createStateCipher(secretBox: SecretBox) {
  const labelOf = (name: string) => `bot account ${name}`
  const open = (name: string, sealed: Buffer): string => {
    try {
      return secretBox.open(sealed, labelOf(name))
    } catch (error) {
      throw new UnreadableStateError(name, error)
    }
  }
  return {
    seal: (name: string, state: StorageState): Buffer =>
      secretBox.seal(JSON.stringify(state), labelOf(name)),
    unseal(platform: AccountPlatform, name: string, sealed: Buffer): StorageState {
      const read = parseStorageState(platform, open(name, sealed))
      if (read.isValid) return read.state
      throw new UnreadableStateError(name)
    },
  }
}
