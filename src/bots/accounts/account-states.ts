import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import type { SecretBox } from '../../lib/crypto.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { StorageState } from '../browser/pool/browser-slot.ts'
import type { PlatformName } from '../platforms/platform.ts'
import { isAccountPlatform, type AccountPlatformName } from './sites.ts'
import { validateAndFilterStorageState, parseStorageState } from './storage-state.ts'

/** Identifies the stored state that a browser was opened with, so that a newer state can replace it. */
export type SavedBrowserStateIdentity = {
  name: string
  platform: AccountPlatformName
  addedAt: Date
  version: number
}

/** Loads the secret browser states of bot accounts for visits, and saves refreshed states. */
export type AccountBrowserStates = ReturnType<typeof createAccountBrowserStates>

type Parts = { db: Db; clock: Clock; secretBox: SecretBox }

/** The stored state was encrypted with another key or for another account. */
class UnreadableBrowserStateError extends Error {
  override readonly name = 'UnreadableBrowserStateError'

  constructor(account: string, cause?: unknown) {
    super(`the stored state of the bot account ${account} cannot be read`, { cause })
  }
}

export function createAccountBrowserStates({ db, clock, secretBox }: Parts) {
  const known = new WeakMap<StorageState, SavedBrowserStateIdentity>()
  const { seal, unseal } = createBrowserStateCipher(secretBox)

  return {
    /** A copy of the account's browser state for one visit. `versionOf` needs that copy to save a refreshed state. */
    async loadState(platform: PlatformName, name: string): Promise<StorageState> {
      const row = await db
        .updateTable('bot_account')
        .set({ last_used_at: clock.now() })
        .where('name', '=', name)
        .where('platform', '=', platform)
        .returning(['state', 'version', 'added_at as addedAt'])
        .executeTakeFirst()
      if (row === undefined || !isAccountPlatform(platform))
        throw new ServiceError('bot_account_not_found')
      const { addedAt, version } = row
      const state = unseal(platform, name, row.state)
      known.set(state, { name, platform, addedAt, version })
      return state
    },

    versionOf: (state: StorageState) => known.get(state) ?? null,

    /** Reads the stored state without marking it as used; null when it cannot be decrypted. */
    async readState(platform: PlatformName, name: string): Promise<StorageState | null> {
      const row = await db
        .selectFrom('bot_account')
        .select('state')
        .where('name', '=', name)
        .executeTakeFirst()
      if (row === undefined || !isAccountPlatform(platform)) return null
      try {
        return unseal(platform, name, row.state)
      } catch (error) {
        if (error instanceof UnreadableBrowserStateError) return null
        throw error
      }
    },

    /** Saves the browser state that a visit refreshed; false if a newer state was saved in the meantime. */
    async saveRefreshedState(
      { name, platform, addedAt, version }: SavedBrowserStateIdentity,
      given: StorageState,
    ) {
      const read = validateAndFilterStorageState(platform, given)
      // A state without cookies of the platform comes from a browser that never signed in, so the stored state is kept.
      if (!read.isValid) return false
      const { numUpdatedRows } = await db
        .updateTable('bot_account')
        .set({ state: seal(name, read.state), version: version + 1, refreshed_at: clock.now() })
        .where('name', '=', name)
        .where('added_at', '=', addedAt)
        .where('version', '=', version)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
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
