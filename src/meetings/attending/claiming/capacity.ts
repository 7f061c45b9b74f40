import { sql } from 'kysely'
import { ServiceError } from '../../../errors.ts'
import type { Db } from '../../../db/database.ts'
import { readTotalNodeCapacity } from '../../../db/nodes/node-list.ts'
import type { Meeting } from '../../meeting.ts'
import { ACTIVE_STATUSES } from '../../status.ts'

/**
 * How many practice meetings one node runs at the same time. They need no browser and few resources; the limit protects
 * against a client that starts them in a loop.
 */
export const MAX_PRACTICE_BOTS = 2_000
/** Measured: a bot in a shared browser uses about 105 MB and a tenth of a core. */
const MB_PER_BOT = 120
const BOTS_PER_CORE = 10
/** Memory for the service, its database and the operating system. */
const RESERVED_MB = 1_024

/** How many browser bots a machine can run at the same time. */
export function calculateMaxBots({ memoryMb, cores }: { memoryMb: number; cores: number }): number {
  const byMemory = Math.floor((memoryMb - RESERVED_MB) / MB_PER_BOT)
  return Math.max(1, Math.min(byMemory, Math.floor(cores * BOTS_PER_CORE)))
}

export interface MeetingCapacityCheck {
  /** Throws `at_capacity` when all bots of all nodes, or all places of the bot account, are busy and the queue is full. */
  assertAvailable(platform: Meeting['platform'], account: string | null): Promise<void>
}

/**
 * Counts the meetings of all nodes. Concurrent starts do not lock each other, so they can exceed the queue limit
 * slightly.
 */
export function createMeetingCapacityCheck(db: Db, queueLimit: number): MeetingCapacityCheck {
  return {
    async assertAvailable(platform, account) {
      if (account !== null) await assertAccountAvailable(db, account, queueLimit)
      const isPractice = platform === 'practice'
      const capacity = await readTotalNodeCapacity(db)
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
        hint: 'Try again later, or raise HANSARD_MAX_BOTS on a larger machine',
        retryAfterSeconds: 30,
      })
    },
  }
}

/** Throws `at_capacity` when the bot account and its queue are full. Each account has a queue with the same limit. */
async function assertAccountAvailable(db: Db, account: string, queueLimit: number): Promise<void> {
  const { rows } = await sql<{ active: number; places: number }>`
    select bot_limit as places,
      (select count(*)::int from meeting
       where account = ${account} and status = any(${ACTIVE_STATUSES})) as active
    from bot_account where name = ${account}`.execute(db)
  const { active = 0, places = 1 } = rows[0] ?? {}
  if (active < places + queueLimit) return
  throw new ServiceError('at_capacity', {
    text: `The bot account already attends ${places} meetings and ${queueLimit} more are waiting for it`,
    hint: 'Try again later, use another bot account, or raise the limit of this one',
    retryAfterSeconds: 30,
  })
}
