import type { StorageState } from '../browser/pool/browser-slot.ts'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { SecretBox } from '../../lib/crypto/secret-box.ts'
import type { PlatformName } from '../platforms/platform.ts'
import { isAccountPlatform, type AccountPlatform } from './sites.ts'
import { createStateCipher, UnreadableStateError } from './state-encryption.ts'
import { validateState } from './storage-state.ts'

/** What is needed to write a newer state in the place of one that was opened. */
export type StateVersion = {
  name: string
  platform: AccountPlatform
  addedAt: Date
  version: number
}

/** The secret part of the accounts: out for a visit, back when it is over. */
export interface AccountStates {
  /** A fresh copy for one visit. What `opened` tells of it serves to bring it back. */
  loadState(platform: PlatformName, name: string): Promise<StorageState>
  versionOf(state: StorageState): StateVersion | null
  /** The stored state, without using it; null when it cannot be read. */
  readState(platform: PlatformName, name: string): Promise<StorageState | null>
  /** False when somebody has brought back or added a newer one. */
  saveRefreshedState(account: StateVersion, state: StorageState): Promise<boolean>
}

type Parts = { db: Db; clock: Clock; secretBox: SecretBox }

export function createAccountStates({ db, clock, secretBox }: Parts): AccountStates {
  const known = new WeakMap<StorageState, StateVersion>()
  const { seal, unseal } = createStateCipher(secretBox)

  return {
    async loadState(platform, name) {
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

    versionOf: (state) => known.get(state) ?? null,

    async readState(platform, name) {
      const row = await db
        .selectFrom('bot_account')
        .select('state')
        .where('name', '=', name)
        .executeTakeFirst()
      if (row === undefined || !isAccountPlatform(platform)) return null
      try {
        return unseal(platform, name, row.state)
      } catch (error) {
        if (error instanceof UnreadableStateError) return null
        throw error
      }
    },

    async saveRefreshedState({ name, platform, addedAt, version }, given) {
      const read = validateState(platform, given)
      // A browser without any cookie of the platform was never there: what is stored stays.
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
