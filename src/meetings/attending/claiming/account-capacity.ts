import type { Tx } from '../../../db/database.ts'
import { sql, type RawBuilder } from 'kysely'
import { buildOwnerDeadCondition } from '../../../db/nodes/node-conditions.ts'
import { ACTIVE_STATUSES } from '../../status.ts'

/**
 * Locks the bot accounts of unowned meetings until the transaction ends. Without the lock two nodes that claim
 * meetings of the same account at the same time would exceed its limit.
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
 * WHERE condition of a claim: the meeting uses no bot account, or its account is below its limit; older meetings go first.
 * A meeting whose account was deleted passes too, so that its bot can end it with that reason.
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
