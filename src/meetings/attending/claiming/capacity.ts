import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { buildOwnerDeadCondition } from '../../../db/nodes/node-conditions.ts'
import { readTotalNodeCapacity } from '../../../db/nodes/node-rows.ts'
import { countRows } from '../../../db/query-helpers.ts'
import { ServiceError } from '../../../errors.ts'
import type { Meeting } from '../../meeting.ts'
import { ACTIVE_STATUSES } from '../../status.ts'

/**
 * How many practice meetings one node runs at the same time. They need no browser and few resources. The limit stops a
 * client that starts them in a loop.
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

export type MeetingCapacityCheck = ReturnType<typeof createMeetingCapacityCheck>

/**
 * Counts the meetings of all nodes. Concurrent starts do not lock each other, so they can slightly exceed the limit.
 */
export function createMeetingCapacityCheck(db: Db, queueLimit: number) {
  return {
    /** Throws `at_capacity` if no bot of any node, or no place of the bot account, is free and the queue is full. */
    async assertAvailable(platform: Meeting['platform'], account: string | null) {
      if (account !== null) await assertAccountAvailable(db, account, queueLimit)
      const isPractice = platform === 'practice'
      const capacity = await readTotalNodeCapacity(db)
      const bots = isPractice ? capacity.practiceBots : capacity.bots
      const active = db
        .selectFrom('meeting')
        .where('status', 'in', ACTIVE_STATUSES)
        .where('platform', isPractice ? '=' : '<>', 'practice')
      if ((await countRows(active)) < bots + queueLimit) return
      throw new ServiceError('at_capacity', {
        text: `All ${bots} bots are busy and ${queueLimit} meetings wait for one`,
        hint: 'Try again later, or raise HANSARD_MAX_BOTS on a larger machine',
        retryAfterSeconds: 30,
      })
    },
  }
}

/** Throws `at_capacity` if the bot account and its queue are full. Each account has its own queue, of the same size. */
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

/**
 * Locks the bot accounts of unowned meetings until the transaction ends. Otherwise two nodes could claim meetings of
 * one account at the same time and exceed its limit.
 */
export async function lockAccountsOfUnownedMeetings(tx: Tx, nodeId: string): Promise<void> {
  await tx
    .selectFrom('bot_account')
    .select('name')
    .where('name', 'in', (eb) =>
      eb
        .selectFrom('meeting')
        .select('account')
        .$narrowType<{ account: string }>()
        .where('account', 'is not', null)
        .where('status', 'in', ACTIVE_STATUSES)
        .where((inner) =>
          inner.or([inner('owner', 'is', null), buildOwnerDeadCondition('owner', nodeId)]),
        ),
    )
    .orderBy('name')
    .forUpdate()
    .execute()
}

/**
 * WHERE condition of a claim: the meeting uses no bot account, or its account is below its limit. Older meetings go
 * first. A meeting whose account was deleted passes too, so that its bot can end it with that reason.
 */
export function buildAccountCapacityCondition(claimingNodeId: string): RawBuilder<boolean> {
  return sql`(
  account is null
  or not exists (select from bot_account where name = meeting.account)
  or id in (
    select waiting.id from (
      select id, account, row_number() over (partition by account order by started_at, id) as place
      from meeting
      where account is not null and status in ('joining', 'lobby', 'live')
        and (owner is null or ${buildOwnerDeadCondition('owner', claimingNodeId)})
    ) waiting
    join bot_account on bot_account.name = waiting.account
    where waiting.place <= bot_account.bot_limit - (
      select count(*) from meeting used
      where used.account = waiting.account and used.status not in ('ended', 'error', 'scheduled')
        and used.owner is not null and not ${buildOwnerDeadCondition('used.owner', claimingNodeId)}
    )
  )
)`
}
