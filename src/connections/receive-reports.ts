import { sql } from 'kysely'
import type { AreaContext } from '../db/context.ts'
import { buildSoonerPoll } from '../db/nodes/leased-rows.ts'
import { readReportTokens, toReportKey } from '../network/report-tokens.ts'

/** What a provider sent. `lifecycleEvent`: it is about the subscription, and not about a transcript. */
export type TranscriptReport = { token: string; lifecycleEvent: string | null }

const MIN_POLL_PAUSE_MS = 10_000

/**
 * Makes the organizers of these tokens due. Returns how many of the tokens were right. The events of Graph about a subscription
 * (`missed`, `reauthorizationRequired`, `subscriptionRemoved`) also mean that reports may have been lost.
 */
export async function receiveReports(
  { db, clock }: Pick<AreaContext, 'db' | 'clock'>,
  reports: readonly TranscriptReport[],
): Promise<number> {
  const now = clock.now()
  const { ids, keys } = readReportTokens(reports.map(({ token }) => token))
  const events = Map.groupBy(
    reports.map(({ lifecycleEvent }, index) => ({ key: keys[index], lifecycleEvent })),
    ({ key }) => key,
  )
  const rows = await db
    .selectFrom('connection_subscription')
    .select(['id', 'connection_id as connectionId', 'secret_hash as secretHash'])
    .where('id', 'in', ['', ...ids])
    .execute()
  const right = rows.filter((row) => events.has(toReportKey(row)))
  if (right.length === 0) return 0
  const listWith = (event: string) =>
    right.flatMap((row) =>
      events.get(toReportKey(row))?.some(({ lifecycleEvent }) => lifecycleEvent === event)
        ? row.id
        : [],
    )
  const rightIds = right.map(({ id }) => id)
  // The next poll renews these, or requests them again. A poll makes the requests, so that only one node does.
  const removed = listWith('subscriptionRemoved')
  await sql`
    update connection_subscription set next_attempt_at = ${now},
      provider_id = case when id = any(${removed}::text[]) then null else provider_id end
    where id = any(${[...removed, ...listWith('reauthorizationRequired')]}::text[])`.execute(db)
  await sql`
    update connection_organizer as o set reported_at = ${now} from connection_subscription s
    where s.id = any(${rightIds}::text[]) and o.connection_id = s.connection_id and o.address = s.organizer`.execute(
    db,
  )
  await sql`
    update connection set next_poll_at = ${buildSoonerPoll(now, MIN_POLL_PAUSE_MS)}
    where id = any(${right.map(({ connectionId }) => connectionId)}::text[])
      and problem is null`.execute(db)
  return right.length
}
