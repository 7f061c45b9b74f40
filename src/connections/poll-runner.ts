import type { AreaContext } from '../db/context.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { startLeasedWork, type ClaimLoop } from '../db/nodes/claim-loop.ts'
import {
  buildClaimableCondition,
  buildNextPoll,
  createRowLeases,
  holdsRowLease,
} from '../db/nodes/leased-rows.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import { doublingDelayMs } from '../lib/time/backoff.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts'
import type { Connection } from './connection.ts'
import type { ConnectionLease } from './connection-store.ts'
import type { ReadProblem } from './problems.ts'
import { toProblemColumns } from './transcript-store.ts'

/** A claim, with what is needed to read the connection. */
export type ClaimedConnection = ConnectionLease &
  Pick<
    Connection,
    | 'kind'
    | 'cloud'
    | 'tenant'
    | 'clientId'
    | 'project'
    | 'excludedTitles'
    | 'readsFrom'
    | 'readsCalendar'
  > & { sealed: Buffer; failures: number; dueAt: Date }

type Parts = AreaContext & {
  membership: Pick<NodeMembership, 'nodeId' | 'onNodeLost' | 'hasFreshHeartbeat'>
  /** Reads one connection and stores the result. */
  poll(claimed: ClaimedConnection, signal: AbortSignal): Promise<void>
}

const LOOK_MS = 10_000
const MAX_CONCURRENT = 2
const RETRY_AFTER_ERROR_MS = MINUTE_MS
/** Between two reads of a connection without a problem. */
export const POLL_INTERVAL_MS = 5 * MINUTE_MS
const MAX_WAIT_MS = 6 * HOUR_MS

/** Reads due connections, each on one node. */
export function startPollRunner({ db, clock, log, membership, poll }: Parts): ClaimLoop {
  const { nodeId } = membership
  return startLeasedWork<ClaimedConnection>({
    what: 'connections',
    log,
    membership,
    pollMs: LOOK_MS,
    idOf: ({ connectionId }) => connectionId,
    ...createRowLeases(db, 'connection', nodeId),
    async claim(running, start) {
      const free = MAX_CONCURRENT - running.length
      if (free > 0) (await claimDueConnections(db, nodeId, clock.now(), free)).forEach(start)
    },
    run: poll,
    postpone: async (claimed) =>
      void (await releaseConnection(
        db,
        claimed,
        new Date(clock.now().getTime() + RETRY_AFTER_ERROR_MS),
      ).execute()),
  })
}

async function claimDueConnections(
  db: Db,
  nodeId: string,
  now: Date,
  limit: number,
): Promise<ClaimedConnection[]> {
  const { rows } = await sql<Omit<ClaimedConnection, 'nodeId'>>`
    update connection set owner = ${nodeId}, fence = connection.fence + 1
    from (
      select c.id from connection c
      where c.next_poll_at <= ${now} and not c.is_paused and ${buildClaimableCondition('c', nodeId)}
      order by c.next_poll_at limit ${limit} for update of c skip locked
    ) as due
    where connection.id = due.id
    returning connection.id as "connectionId", connection.fence, connection.next_poll_at as "dueAt", connection.kind,
      connection.cloud, connection.tenant, connection.client_id as "clientId", connection.project, connection.failures,
      connection.excluded_titles as "excludedTitles", connection.reads_from as "readsFrom", connection.reads_calendar as "readsCalendar",
      connection.credential_sealed as sealed`.execute(db)
  return rows.map((row) => ({ ...row, nodeId }))
}

/** Releases a connection. An admin may have asked for another read while this one was running. */
function releaseConnection(db: Db, claimed: ClaimedConnection, planned: Date) {
  const { connectionId: id, nodeId, fence, dueAt } = claimed
  return db
    .updateTable('connection')
    .set({ owner: null, next_poll_at: buildNextPoll(dueAt, planned) })
    .where(holdsRowLease({ id, nodeId, fence }))
}

export type PollResult = {
  problem: ReadProblem | null
  /** When there is more to read. Null for the usual interval. */
  nextAt: Date | null
}

/** Stores how a poll ended and releases the connection. Does nothing if the lease was lost. */
export async function finishPoll(
  db: Db,
  claimed: ClaimedConnection,
  { problem, nextAt }: PollResult,
  now: Date,
): Promise<void> {
  const failures = problem === null ? 0 : claimed.failures + 1
  const planned = problem === null ? planNext(now, nextAt) : planRetry(now, problem, failures)
  await releaseConnection(db, claimed, planned)
    .set({
      ...toProblemColumns(problem),
      failures,
      polled_at: now,
      ...(problem === null && { read_at: now }),
      broken_since: problem === null ? null : sql`coalesce(broken_since, ${now})`,
    })
    .execute()
}

function planNext(now: Date, nextAt: Date | null): Date {
  const planned = new Date(now.getTime() + POLL_INTERVAL_MS)
  return nextAt !== null && nextAt < planned ? nextAt : planned
}

/** The wait doubles with each failure, and is at least as long as the provider asks for. */
function planRetry(now: Date, { retryAfterMs }: ReadProblem, failures: number): Date {
  const doubled = doublingDelayMs(MINUTE_MS, failures, MAX_WAIT_MS)
  return new Date(now.getTime() + Math.max(doubled, retryAfterMs ?? 0))
}

/** Makes a node read the connection with all organizers now, unless the provider asked to wait. */
export async function requestPoll(tx: Tx, connectionId: string, now: Date): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('connection')
    // Later than the due time of a running poll, which shows that another one was requested.
    .set({
      next_poll_at: sql<Date>`case when owner is null then ${now}::timestamptz
      else greatest(${now}::timestamptz, next_poll_at + interval '1 millisecond') end`,
    })
    .where('id', '=', connectionId)
    .where(sql<boolean>`problem is distinct from 'throttled'`)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  await tx
    .updateTable('connection_organizer')
    .set({ polled_at: null })
    .where('connection_id', '=', connectionId)
    .execute()
}
