import { sql } from 'kysely'
import { ServiceError } from '../../errors.ts'
import type { Db } from '../../db/database.ts'
import { readInstanceCapacity } from '../../db/nodes/node-list.ts'
import type { PlatformName } from '../../bots/platforms/platform.ts'
import { ACTIVE_STATUSES } from '../status.ts'

/** Meetings without a browser cost next to nothing; the limit is there for a mistake in a loop. */
export const MAX_PRACTICE_BOTS = 2_000
/** By measurement a bot in a shared browser takes some 105 MB and a tenth of a core. */
const MB_PER_BOT = 120
const BOTS_PER_CORE = 10
/** What the service, its database and the system need for themselves. */
const RESERVED_MB = 1_024

/** How many bots with a browser a machine can hold. */
export function maxBotsFor({ memoryMb, cores }: { memoryMb: number; cores: number }): number {
  const byMemory = Math.floor((memoryMb - RESERVED_MB) / MB_PER_BOT)
  return Math.max(1, Math.min(byMemory, cores * BOTS_PER_CORE))
}

export interface Capacity {
  /** Throws when all nodes together have no room for another meeting and the queue is full too. */
  assertAvailable(platform: PlatformName, account: string | null): Promise<void>
}

/** Counted over all nodes. Starts in the same instant may exceed the queue by their own number, no more. */
export function createCapacity(db: Db, queueLimit: number): Capacity {
  return {
    async assertAvailable(platform, account) {
      if (account !== null) await assertAccountAvailable(db, account, queueLimit)
      const isPractice = platform === 'practice'
      const capacity = await readInstanceCapacity(db)
      const bots = isPractice ? capacity.practiceBots : capacity.bots
      const { active } = await db
        .selectFrom('meeting')
        .select((eb) => eb.fn.countAll<string>().as('active'))
        .where('status', 'in', ACTIVE_STATUSES)
        .where('platform', isPractice ? '=' : '<>', 'practice')
        .executeTakeFirstOrThrow()
      if (Number(active) < bots + queueLimit) return
      throw new ServiceError('at_capacity', {
        text: `All ${bots} bots are busy and ${queueLimit} meetings wait for one`,
        hint: 'Try again later, or let HANSARD_MAX_BOTS be higher on a larger machine',
        retryAfterSeconds: 30,
      })
    },
  }
}

/** A meeting of an account waits like any other, and as many may. */
async function assertAccountAvailable(db: Db, account: string, queueLimit: number): Promise<void> {
  const { rows } = await sql<{ active: number; places: number }>`
    select bot_limit as places,
      (select count(*)::int from meeting
       where account = ${account} and status = any(${ACTIVE_STATUSES})) as active
    from bot_account where name = ${account}`.execute(db)
  const { active = 0, places = 1 } = rows[0] ?? {}
  if (active < places + queueLimit) return
  throw new ServiceError('at_capacity', {
    text: `The bot account attends ${places} meetings at once and ${queueLimit} wait for it`,
    hint: 'Try again later, use another account, or raise the limit of this one',
    retryAfterSeconds: 30,
  })
}
