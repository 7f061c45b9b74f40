import type { AreaContext } from '../db/context.ts'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { startLeasedWork, type ClaimLoop } from '../db/nodes/claim-loop.ts'
import {
  buildClaimableCondition,
  buildNextPoll,
  createRowLeases,
  holdsRowLease,
} from '../db/nodes/leased-rows.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import { doublingDelayMs } from '../lib/time/backoff.ts'
import { HOUR_MS } from '../lib/time/durations.ts'
import type { CalendarKind } from './calendar.ts'

type Parts = AreaContext & {
  membership: Pick<NodeMembership, 'nodeId' | 'onNodeLost' | 'hasFreshHeartbeat'>
  /** Reads one calendar and stores the result. */
  poll(claimed: ClaimedCalendar, signal: AbortSignal): Promise<void>
}

const POLL_INTERVAL_MS = 10_000
const MAX_CONCURRENT = 4
/** How long a calendar waits after the database was unavailable or an unexpected error occurred. */
const RETRY_AFTER_ERROR_MS = 60_000

/**
 * A node's right to store what it reads from a calendar. The fence increases with every claim and every new address, so
 * that an answer from the old address is dropped.
 */
export type PollLease = { calendarId: string; nodeId: string; fence: number }

/** A claim, and the time for which the poll was due. */
export type PollClaim = PollLease & { dueAt: Date }

export type ClaimedCalendar = PollClaim & {
  kind: CalendarKind
  urlSealed: Buffer | null
  accountId: string | null
  providerCalendarId: string | null
  etag: string | null
  lastModified: string | null
  cursor: string | null
  readAt: Date | null
  timeZone: string
}

/** A calendar that cannot be read is retried after at most this time. */
const MAX_WAIT_MS = 6 * HOUR_MS
/** Polls are delayed by up to this share of the wait, so that calendars of one server do not come at once. */
const SPREAD = 0.2

/** After more failures than this, a calendar waits for its time, and a person cannot poll it at once. */
export const MAX_FAILURES_FOR_POLL_NOW = 1

export type PollTimes = {
  /** Milliseconds between two polls of a calendar that can be read. */
  intervalMs: number
  /** Returns a number from 0 to 1. */
  random(): number
}

/** Reads due calendars, each on one node. */
export function startPollRunner({ db, clock, log, membership, poll }: Parts): ClaimLoop {
  const { nodeId } = membership
  return startLeasedWork<ClaimedCalendar>({
    what: 'calendars',
    log,
    membership,
    pollMs: POLL_INTERVAL_MS,
    idOf: ({ calendarId }) => calendarId,
    ...createRowLeases(db, 'calendar', nodeId),
    async claim(running, start) {
      const free = MAX_CONCURRENT - running.length
      if (free > 0) (await claimDueCalendars(db, nodeId, clock.now(), free)).forEach(start)
    },
    run: poll,
    postpone: (claimed) =>
      releaseUntil(db, claimed, new Date(clock.now().getTime() + RETRY_AFTER_ERROR_MS)),
  })
}

/** Claims due calendars without a live owner. The longest waiting come first. */
async function claimDueCalendars(
  db: Db,
  nodeId: string,
  now: Date,
  limit: number,
): Promise<ClaimedCalendar[]> {
  const { rows } = await sql<Omit<ClaimedCalendar, 'nodeId'>>`
    update calendar set owner = ${nodeId}, fence = calendar.fence + 1
    from (
      select c.id from calendar c
      where c.next_poll_at <= ${now} and ${buildClaimableCondition('c', nodeId)}
      order by c.next_poll_at limit ${limit} for update of c skip locked
    ) as due
    where calendar.id = due.id
    returning calendar.id as "calendarId", calendar.fence, calendar.next_poll_at as "dueAt", calendar.kind,
      calendar.url_sealed as "urlSealed", calendar.calendar_account_id as "accountId",
      calendar.provider_calendar_id as "providerCalendarId", calendar.sync_cursor as cursor,
      calendar.etag, calendar.last_modified as "lastModified", calendar.read_at as "readAt", calendar.time_zone as "timeZone"`.execute(
    db,
  )
  return rows.map((row) => ({ ...row, nodeId }))
}

/** Releases a calendar that could not be polled. It is retried at that time, or when a person requested it. */
async function releaseUntil(
  db: Db,
  { calendarId: id, nodeId, fence, dueAt }: PollClaim,
  nextPollAt: Date,
): Promise<void> {
  await db
    .updateTable('calendar')
    .set({ owner: null, next_poll_at: buildNextPoll(dueAt, nextPollAt) })
    .where(holdsRowLease({ id, nodeId, fence }))
    .execute()
}

/** Requests a poll at a time. A running poll may already have read the calendar, so another poll follows it. */
export async function requestPoll(
  db: Db,
  { calendarId, at, maxFailures }: { calendarId: string; at: Date; maxFailures: number },
): Promise<void> {
  await db
    .updateTable('calendar')
    .set({
      // Never the due time of a running poll: a later time shows that a person requested a poll afterwards.
      next_poll_at: sql<Date>`${at}::timestamptz + case
        when owner is not null and next_poll_at = ${at}::timestamptz then interval '1 millisecond'
        else interval '0' end`,
    })
    .where('id', '=', calendarId)
    .where('failures', '<=', maxFailures)
    .execute()
}

export function findNextPoll({ intervalMs, random }: PollTimes, now: Date): Date {
  return new Date(now.getTime() + intervalMs * (1 + SPREAD * random()))
}

/** If a person requested a poll while the poll for `dueAt` was running, that request comes before the planned poll. */
export function keepRequestedPoll(
  planned: Date,
  { nextPollAt, dueAt }: { nextPollAt: Date; dueAt: Date },
): Date {
  return nextPollAt > dueAt && nextPollAt < planned ? nextPollAt : planned
}

/** `failures` includes this one. The wait doubles with each failure, and is at least as long as the server asks for. */
export function findNextAttempt(
  { intervalMs, random }: PollTimes,
  now: Date,
  { failures, retryAfterMs }: { failures: number; retryAfterMs: number | null },
): Date {
  // A calendar that can be read may have a longer interval than the limit.
  const maxWait = Math.max(MAX_WAIT_MS, intervalMs)
  const doubled = doublingDelayMs(intervalMs, failures, maxWait) * (1 + SPREAD * random())
  const wait = Math.min(Math.max(doubled, retryAfterMs ?? 0), maxWait)
  return new Date(now.getTime() + wait)
}
