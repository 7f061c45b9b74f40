import { sql } from 'kysely'
import { readsProject } from '../../access/project-condition.ts'
import { isUnrestricted, type Viewer } from '../../access/viewer.ts'
import { appendAudit, type Actor } from '../../accounts/audit.ts'
import type { Db } from '../../db/database.ts'
import { liveNodeIdsSubquery } from '../../db/nodes/node-conditions.ts'
import { ServiceError } from '../../errors.ts'
import type { SecretBox } from '../../lib/crypto.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { StorageState } from '../browser/pool/browser-slot.ts'
import type { PlatformName } from '../platforms/platform.ts'
import {
  createAccountBrowserStates,
  type AccountBrowserStates,
  createBrowserStateCipher,
} from './account-states.ts'
import { isAccountPlatform, SIGN_IN_SITE_BY_PLATFORM, type AccountPlatformName } from './sites.ts'

/** A bot account without its secret state. */
export type BotAccount = {
  name: string
  platform: AccountPlatformName
  /** How many bots may use the account at the same time, over all nodes. */
  limit: number
  inUse: number
  addedAt: Date
  lastUsedAt: Date | null
  /** When a bot last saved refreshed cookies. */
  refreshedAt: Date | null
}

export type NewBotAccount = {
  name: string
  platform: AccountPlatformName
  /** How many bots may use the account at once. If undefined, a replaced account keeps its limit, a new one gets 1. */
  limit: number | undefined
  state: StorageState
}

export interface BotAccounts extends AccountBrowserStates {
  /** Adds a bot account, or replaces the state of the account with the same name and platform. */
  add(account: NewBotAccount, actor: Actor): Promise<{ isNew: boolean }>
  /** `inUse` and `lastUsedAt` count only the meetings that the viewer may read. */
  list(viewer: Viewer): Promise<BotAccount[]>
  /** Removes a bot account; rejects while a meeting uses it. */
  remove(name: string, actor: Actor): Promise<void>
  /** Why a bot may not use this account on the platform; null if it may. Without a platform, checks if it exists. */
  findProblem(platform: PlatformName | null, name: string): Promise<string | null>
}

type Parts = { db: Db; clock: Clock; secretBox: SecretBox }

/** A scheduled meeting does not reserve its account. If the account is gone when it begins, it ends for that reason. */
const IS_ACTIVE_MEETING = sql`status not in ('ended', 'error', 'scheduled')`

export function createBotAccounts({ db, clock, secretBox }: Parts): BotAccounts {
  const { seal } = createBrowserStateCipher(secretBox)
  const states = createAccountBrowserStates({ db, clock, secretBox })

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

    async list(viewer) {
      const isReadable = readsProject(viewer, 'meeting.project')
      const seesAll = isUnrestricted(viewer)
      const lastUsedAt = seesAll
        ? sql`last_used_at`
        : sql`(select max(started_at) from meeting where account = name and fence > 0 and ${isReadable})`
      // Bots save refreshed cookies when they leave, so this date would reveal that there was a meeting.
      const refreshedAt = seesAll ? sql`refreshed_at` : sql`null::timestamptz`
      const { rows } = await sql<BotAccount>`
        select name, platform, bot_limit as "limit", added_at as "addedAt",
          ${lastUsedAt} as "lastUsedAt", ${refreshedAt} as "refreshedAt",
          (select count(*)::int from meeting where account = name and ${IS_ACTIVE_MEETING}
           and ${isReadable} and owner in ${liveNodeIdsSubquery}) as "inUse"
        from bot_account order by name`.execute(db)
      return rows
    },

    remove: (name, actor) =>
      db.transaction().execute(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('bot_account')
          .where('name', '=', name)
          .where(
            sql<boolean>`not exists (select from meeting where account = ${name} and ${IS_ACTIVE_MEETING})`,
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

    async findProblem(platform, name) {
      const row = await db
        .selectFrom('bot_account')
        .select('platform')
        .where('name', '=', name)
        .executeTakeFirst()
      if (row === undefined || !isAccountPlatform(row.platform))
        return 'There is no bot account with that name'
      if (platform === null) return null
      if (row.platform !== platform)
        return `That bot account is for ${SIGN_IN_SITE_BY_PLATFORM[row.platform].title}`
      const state = await states.readState(platform, name)
      return state === null
        ? 'The stored state of that bot account cannot be read. Add the account again'
        : null
    },

    ...states,
  }
}
