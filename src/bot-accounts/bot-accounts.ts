import { sql } from 'kysely'
import { appendAudit, type Actor } from '../accounts/audit.ts'
import type { StorageState } from '../browser/seat.ts'
import type { Db } from '../db/open.ts'
import { liveNodes } from '../db/presence.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { PlatformName } from '../platforms/platform.ts'
import { isAccountPlatform, SITES, type AccountPlatform } from './sites.ts'
import { parseState, readState } from './storage-state.ts'

/** Without its secret: what may be shown. */
export type BotAccount = {
  name: string
  platform: PlatformName
  /** Bots that may use it at once, over all nodes. */
  limit: number
  inUse: number
  addedAt: Date
  lastUsedAt: Date | null
  /** When a bot last brought renewed cookies back. */
  refreshedAt: Date | null
}

export type NewBotAccount = {
  name: string
  platform: AccountPlatform
  /** Not given: that of the account before, or 1. */
  limit: number | undefined
  state: StorageState
}

/** A state and what is needed to write a newer one in its place. */
export type OpenedAccount = { name: string; platform: AccountPlatform; version: number }

export interface BotAccounts {
  /** An account of the same name and platform gets the new state. */
  add(account: NewBotAccount, actor: Actor): Promise<{ isNew: boolean }>
  list(): Promise<BotAccount[]>
  /** Refused while a meeting needs it. */
  remove(name: string, actor: Actor): Promise<void>
  /** Null when a bot may come as this account to that platform, otherwise why not. */
  refuse(platform: PlatformName, name: string): Promise<string | null>
  /** A fresh copy for one visit. What `opened` tells of it serves to bring it back. */
  open(platform: PlatformName, name: string): Promise<StorageState>
  opened(state: StorageState): OpenedAccount | null
  /** False when somebody has brought back or added a newer one. */
  refresh(account: OpenedAccount, state: StorageState): Promise<boolean>
}

type Parts = { db: Db; clock: Clock; secretBox: SecretBox }

const ACTIVE = sql`status not in ('ended', 'error')`

export function createBotAccounts({ db, clock, secretBox }: Parts): BotAccounts {
  const known = new WeakMap<StorageState, OpenedAccount>()
  const seal = (name: string, state: StorageState) =>
    secretBox.seal(JSON.stringify(state), labelOf(name))

  return {
    add: ({ name, platform, limit, state }, actor) =>
      db.transaction().execute(async (tx) => {
        const at = clock.now()
        const sealed = seal(name, state)
        const row = await tx
          .insertInto('bot_account')
          .values({ name, platform, bot_limit: limit ?? 1, state: sealed, added_at: at })
          .onConflict((conflict) =>
            conflict
              .column('name')
              .doUpdateSet({
                state: sealed,
                version: sql`bot_account.version + 1`,
                refreshed_at: at,
                ...(limit !== undefined && { bot_limit: limit }),
              })
              .where('bot_account.platform', '=', platform),
          )
          .returning('version')
          .executeTakeFirst()
        if (row === undefined) throw new ServiceError('bot_account_taken')
        const isNew = row.version === 1
        await appendAudit(tx, at, actor, isNew ? 'bot account added' : 'bot account renewed', name)
        return { isNew }
      }),

    async list() {
      const { rows } = await sql<BotAccount>`
        select name, platform, bot_limit as "limit", added_at as "addedAt",
          last_used_at as "lastUsedAt", refreshed_at as "refreshedAt",
          (select count(*)::int from meeting
           where account = name and ${ACTIVE} and owner in ${liveNodes}) as "inUse"
        from bot_account order by name`.execute(db)
      return rows
    },

    remove: (name, actor) =>
      db.transaction().execute(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('bot_account')
          .where('name', '=', name)
          .where(
            sql<boolean>`not exists (select from meeting where account = ${name} and ${ACTIVE})`,
          )
          .executeTakeFirst()
        if (numDeletedRows > 0n)
          return appendAudit(tx, clock.now(), actor, 'bot account removed', name)
        const row = await tx
          .selectFrom('bot_account')
          .select('name')
          .where('name', '=', name)
          .executeTakeFirst()
        throw new ServiceError(row === undefined ? 'bot_account_not_found' : 'bot_account_in_use')
      }),

    async refuse(platform, name) {
      const row = await db
        .selectFrom('bot_account')
        .select('platform')
        .where('name', '=', name)
        .executeTakeFirst()
      if (row === undefined) return 'There is no bot account of that name'
      if (row.platform === platform) return null
      const title = isAccountPlatform(row.platform) ? SITES[row.platform].title : row.platform
      return `That bot account is for ${title}`
    },

    async open(platform, name) {
      const row = await db
        .updateTable('bot_account')
        .set({ last_used_at: clock.now() })
        .where('name', '=', name)
        .where('platform', '=', platform)
        .returning(['state', 'version'])
        .executeTakeFirst()
      if (row === undefined || !isAccountPlatform(platform))
        throw new ServiceError('bot_account_not_found')
      const read = parseState(platform, secretBox.open(row.state, labelOf(name)))
      if (!read.isSound) throw new ServiceError('bot_account_not_found', { text: read.problem })
      known.set(read.state, { name, platform, version: row.version })
      return read.state
    },

    opened: (state) => known.get(state) ?? null,

    async refresh({ name, platform, version }, given) {
      const read = readState(platform, given)
      // A browser without any cookie of the platform was never there: what is stored stays.
      if (!read.isSound) return false
      const { numUpdatedRows } = await db
        .updateTable('bot_account')
        .set({
          state: seal(name, read.state),
          version: version + 1,
          refreshed_at: clock.now(),
        })
        .where('name', '=', name)
        .where('version', '=', version)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}

/** Binds the sealed state to its row. */
function labelOf(name: string): string {
  return `bot account ${name}`
}
