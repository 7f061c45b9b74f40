import type { Generated } from 'kysely'
import type { Immutable } from '../../db/schema.ts'
import type { PlatformName } from '../platforms/platform.ts'

declare module '../../db/schema.ts' {
  interface Database {
    /** A signed-in platform account that bots can join meetings with. */
    bot_account: {
      name: Immutable<string>
      platform: Immutable<PlatformName>
      /** How many bots may use the account at the same time, over all nodes. */
      bot_limit: number
      /** A signed-in browser's cookies and storage, encrypted with the master key. */
      state: Buffer
      /** Increases with each change of `state`, so that a writer with an older state is refused. */
      version: Generated<number>
      added_at: Immutable<Date>
      last_used_at: Date | null
      refreshed_at: Date | null
    }
  }
}
