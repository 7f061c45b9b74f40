import type { Generated } from 'kysely'
import type { PlatformName } from '../../bots/platforms/platform.ts'
import type { Immutable } from './column.ts'

/** A signed-in platform account that bots can join meetings with. */
export interface BotAccountTableColumns {
  name: Immutable<string>
  platform: Immutable<PlatformName>
  /** How many bots may use the account concurrently, over all nodes. */
  bot_limit: number
  /** Cookies and storage of a signed-in browser, encrypted with the master key. */
  state: Buffer
  /** Increases with each change of `state`, so that a writer that has read an older state is refused. */
  version: Generated<number>
  added_at: Immutable<Date>
  last_used_at: Date | null
  refreshed_at: Date | null
}
