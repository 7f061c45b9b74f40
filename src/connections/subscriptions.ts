import { sql } from 'kysely'
import type { AreaContext } from '../db/context.ts'
import type { Db } from '../db/database.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts'
import { createReportToken } from '../network/report-tokens.ts'
import { holdsLease, type ConnectionLease } from './connection-store.ts'
import { ReadProblem } from './problems.ts'
import type { ProviderSession, TranscriptReports } from './provider.ts'
import { LeaseLost } from './transcript-store.ts'

type Parts = Pick<AreaContext, 'db' | 'clock' | 'log'> & {
  /** The public address of this service with https; null if there is none, and then transcripts are only polled. */
  publicUrl: string | null
}

export const NOTIFICATION_PATH = '/web/connection-notifications/microsoft'

/** Microsoft allows three days. Two stay possible with a clock that is off by hours. */
const LENGTH_MS = 2 * DAY_MS
const RETRY_MS = HOUR_MS
/** After a node ended in the middle of a request, or if a subscription ends very soon. */
const MIN_PAUSE_MS = 15 * MINUTE_MS
/** A long list of organizers must not delay the reading of transcripts. The next poll goes on with the others. */
const MAX_REQUESTS = 25
/** The reason is then probably the same for everybody. */
const MAX_FAILURES = 3

/**
 * Asks the provider to report new transcripts of each organizer, so that they are read at once. The reports only save time: a
 * connection is polled in any case. Called while the connection is claimed, so only one node sends these requests.
 */
export async function ensureReports(
  parts: Parts,
  lease: ConnectionLease,
  session: Pick<ProviderSession, 'reports'>,
): Promise<void> {
  const { db, clock, publicUrl } = parts
  const { reports } = session
  if (reports === undefined || publicUrl === null) return
  const url = `${publicUrl}${NOTIFICATION_PATH}`
  let failures = 0
  const attempt = async (organizer: string, run: () => Promise<void>) => {
    try {
      await run()
    } catch (error) {
      if (!(error instanceof ReadProblem)) throw error
      failures += error.code === 'throttled' ? MAX_FAILURES : 1
      await storeRefusal(parts, lease, organizer, error)
    }
  }
  for (const { id, organizer, providerId } of await listUnneeded(db, lease, clock.now())) {
    if (failures >= MAX_FAILURES) return
    await attempt(organizer, async () => {
      if (providerId !== null) await reports.stop(providerId)
      await db.deleteFrom('connection_subscription').where('id', '=', id).execute()
    })
  }
  for (const due of await listDue(db, lease, clock.now())) {
    if (failures >= MAX_FAILURES) return
    await attempt(due.organizer, () => subscribe(parts, lease, reports, due, url))
  }
}

type DueSubscription = {
  organizer: string
  userId: string
  /** All null if the organizer has no subscription yet. */
  subscribedUserId: string | null
  notificationUrl: string | null
  providerId: string | null
}

/** Organizers without a subscription first. */
async function listDue(
  db: Db,
  { connectionId }: ConnectionLease,
  now: Date,
): Promise<DueSubscription[]> {
  const { rows } = await sql<DueSubscription>`
    select o.address as organizer, o.user_id as "userId", s.user_id as "subscribedUserId",
      s.notification_url as "notificationUrl", s.provider_id as "providerId"
    from connection_organizer o left join connection_subscription s
      on s.connection_id = o.connection_id and s.organizer = o.address
    where o.connection_id = ${connectionId} and o.user_id is not null and o.problem is null
      and (s.next_attempt_at is null or s.next_attempt_at <= ${now})
    order by s.next_attempt_at nulls first, o.address limit ${MAX_REQUESTS}`.execute(db)
  return rows
}

/** Of people whose transcripts are no longer read. */
function listUnneeded(db: Db, { connectionId }: ConnectionLease, now: Date) {
  return (
    db
      .selectFrom('connection_subscription as s')
      .select(['s.id', 's.organizer', 's.provider_id as providerId'])
      .where('s.connection_id', '=', connectionId)
      // After a refusal, it is tried again later.
      .where((eb) => eb.or([eb('s.problem', 'is', null), eb('s.next_attempt_at', '<=', now)]))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('connection_organizer as o')
              .select('o.address')
              .whereRef('o.connection_id', '=', 's.connection_id')
              .whereRef('o.address', '=', 's.organizer'),
          ),
        ),
      )
      .orderBy('s.next_attempt_at')
      .limit(MAX_REQUESTS)
      .execute()
  )
}

/** Renews the subscription, or requests another one if it has ended or is for another address or user. */
async function subscribe(
  { db, clock }: Parts,
  lease: ConnectionLease,
  reports: TranscriptReports,
  { organizer, userId, subscribedUserId, notificationUrl, providerId }: DueSubscription,
  url: string,
): Promise<void> {
  const requested = new Date(clock.now().getTime() + LENGTH_MS)
  const isSame = subscribedUserId === userId && notificationUrl === url
  const renewed = isSame && providerId !== null ? await reports.renew(providerId, requested) : null
  if (renewed !== null) return storeExpiry(db, lease, organizer, renewed, clock.now())
  if (!isSame && providerId !== null) await reports.stop(providerId)
  const { id, token, secretHash } = createReportToken('tsub')
  // Stored before the request, so that a report that comes before its response is known.
  const { rows } = await sql`
    insert into connection_subscription as s (id, connection_id, organizer, user_id, notification_url, secret_hash,
      expires_at, next_attempt_at)
    select ${id}, ${lease.connectionId}, ${organizer}, ${userId}, ${url}, ${secretHash}::bytea,
      ${requested}::timestamptz, ${new Date(clock.now().getTime() + MIN_PAUSE_MS)}::timestamptz
    where ${holdsLease(lease)}
    on conflict (connection_id, organizer) do update set id = excluded.id, user_id = excluded.user_id,
      notification_url = excluded.notification_url, secret_hash = excluded.secret_hash, provider_id = null,
      expires_at = excluded.expires_at, next_attempt_at = excluded.next_attempt_at
    returning s.id`.execute(db)
  if (rows.length === 0) throw new LeaseLost()
  const started = await reports.start(userId, { url, token, expiresAt: requested })
  await db
    .updateTable('connection_subscription')
    .set({ provider_id: started.providerId })
    .where('id', '=', id)
    .execute()
  await storeExpiry(db, lease, organizer, started.expiresAt, clock.now())
}

/** It is renewed when half of its time is over. */
async function storeExpiry(
  db: Db,
  lease: ConnectionLease,
  organizer: string,
  expiresAt: Date,
  now: Date,
): Promise<void> {
  const half = (expiresAt.getTime() - now.getTime()) / 2
  await db
    .updateTable('connection_subscription')
    .set({
      expires_at: expiresAt,
      next_attempt_at: new Date(now.getTime() + Math.max(half, MIN_PAUSE_MS)),
      problem: null,
    })
    .where('connection_id', '=', lease.connectionId)
    .where('organizer', '=', organizer)
    .where(holdsLease(lease))
    .execute()
}

/** Logged once for a connection and a reason. Polling goes on. */
async function storeRefusal(
  { db, clock, log }: Parts,
  lease: ConnectionLease,
  organizer: string,
  { message, retryAfterMs }: ReadProblem,
): Promise<void> {
  const { connectionId } = lease
  const known = await db
    .selectFrom('connection_subscription')
    .select('id')
    .where('connection_id', '=', connectionId)
    .where('problem', '=', message)
    .limit(1)
    .executeTakeFirst()
  if (known === undefined)
    log.warn({ connectionId, problem: message }, 'failed to ask for reports about transcripts')
  const wait = Math.max(retryAfterMs ?? 0, RETRY_MS)
  await db
    .updateTable('connection_subscription')
    .set({ problem: message, next_attempt_at: new Date(clock.now().getTime() + wait) })
    .where('connection_id', '=', lease.connectionId)
    .where('organizer', '=', organizer)
    .where(holdsLease(lease))
    .execute()
}

/** The provider's ids of a connection's subscriptions. Read before it is removed. */
export async function listProviderIds(db: Db, connectionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('connection_subscription')
    .select('provider_id as providerId')
    .where('connection_id', '=', connectionId)
    .where('provider_id', 'is not', null)
    .execute()
  return rows.flatMap(({ providerId }) => providerId ?? [])
}
