import { sql, type RawBuilder } from 'kysely'
import { isOwnerDead } from '../../db/nodes/node-membership.ts'
import { ACTIVE_STATUSES } from '../status.ts'
import type { Tx } from '../store.ts'

/**
 * Accounts that somebody waits for, until the end of the transaction: nodes that claim meetings of one account
 * take turns, so each counts what the one before has taken.
 */
export async function lockAccountsOfWaitingMeetings(tx: Tx, nodeId: string): Promise<void> {
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
        .where((inner) => inner.or([inner('owner', 'is', null), isOwnerDead('owner', nodeId)])),
    )
    .orderBy('name')
    .forUpdate()
    .execute()
}

/**
 * For the WHERE of a claim: meetings that need no account, or whose account has room for them, oldest first.
 * One whose account is gone is let through, to end with that reason.
 */
export function hasAccountCapacity(nodeId: string): RawBuilder<boolean> {
  return sql`(
  account is null
  or not exists (select from bot_account where name = meeting.account)
  or id in (
    select waiting.id from (
      select id, account, row_number() over (partition by account order by started_at, id) as place
      from meeting
      where account is not null and status in ('joining', 'lobby', 'live')
        and (owner is null or ${isOwnerDead('owner', nodeId)})
    ) waiting
    join bot_account on bot_account.name = waiting.account
    where waiting.place <= bot_account.bot_limit - (
      select count(*) from meeting used
      where used.account = waiting.account and used.status not in ('ended', 'error')
        and used.owner is not null and not ${isOwnerDead('used.owner', nodeId)}
    )
  )
)`
}
