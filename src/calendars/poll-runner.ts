import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { startLeasedWork } from '../db/nodes/claim-loop.ts'
import { buildMayClaimCondition, buildOwnerDeadCondition } from '../db/nodes/node-conditions.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import type { Clock } from '../lib/time/clock.ts'
import { HOUR_MS } from '../lib/time/durations.ts'
import type { Log } from '../log.ts'
import type { CalendarKind } from './calendar.ts'

/** Reads the calendars that are due, each on one node. */
export interface PollRunner extends AsyncDisposable {
  /** Looks for calendars that are due now. */
  wake(): void
}

type Parts = {
  db: Db
  clock: Clock
  log: Log
  membership: Pick<NodeMembership, 'nodeId' | 'onNodeLost' | 'hasFreshHeartbeat'>
  /** Reads one calendar and stores the result. */
  poll(claimed: ClaimedCalendar, signal: AbortSignal): Promise<void>
}

const POLL_INTERVAL_MS = 10_000
const MAX_CONCURRENT = 4
/** How long a calendar waits after the database was not available or something unexpected happened. */
const RETRY_AFTER_ERROR_MS = 60_000

/**
 * The right of one node to store what it reads from a calendar. The fence rises with every claim and with every new
 * address, so that an answer of the old address is dropped.
 */
export type PollLease = { calendarId: string; nodeId: string; fence: number }

/** A claim with the time for which the poll was due. */
export type PollClaim = PollLease & { dueAt: Date }

export type ClaimedCalendar = PollClaim & {
  kind: CalendarKind
  urlSealed: Buffer
  etag: string | null
  lastModified: string | null
  readAt: Date | null
  timeZone: string
}

/** A calendar that cannot be read is tried again at the latest after this time. */
const MAX_WAIT_MS = 6 * HOUR_MS
/** Polls are spread by up to this part of the wait, so that calendars of one server do not come together. */
const SPREAD = 0.2

/** A calendar that failed more often than this is left alone until its time comes. */
export const MAX_FAILURES_FOR_POLL_NOW = 1

export type PollTimes = {
  /** Milliseconds between two polls of a calendar that can be read. */
  intervalMs: number
  /** A number from 0 to 1. */
  random(): number
}

export function startPollRunner({ db, clock, log, membership, poll }: Parts): PollRunner {
  const { nodeId } = membership
  return startLeasedWork<ClaimedCalendar>({
    what: 'calendars',
    log,
    membership,
    pollMs: POLL_INTERVAL_MS,
    idOf: ({ calendarId }) => calendarId,
    findOwned: () => listOwnedCalendars(db, nodeId),
    async claim(running, start) {
      const free = MAX_CONCURRENT - running.length
      if (free > 0) (await claimDueCalendars(db, nodeId, clock.now(), free)).forEach(start)
    },
    run: poll,
    release: ({ id, fence }) => releaseCalendar(db, { calendarId: id, nodeId, fence }),
    postpone: (claimed) =>
      releaseUntil(db, claimed, new Date(clock.now().getTime() + RETRY_AFTER_ERROR_MS)),
  })
}

/** Claims calendars without a live owner that are due, the longest waiting first. */
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
      where c.next_poll_at <= ${now} and ${buildMayClaimCondition(nodeId)}
        and (c.owner is null or ${buildOwnerDeadCondition('c.owner', nodeId)})
      order by c.next_poll_at limit ${limit} for update of c skip locked
    ) as due
    where calendar.id = due.id
    returning calendar.id as "calendarId", calendar.fence, calendar.next_poll_at as "dueAt", calendar.kind,
      calendar.url_sealed as "urlSealed", calendar.etag, calendar.last_modified as "lastModified",
      calendar.read_at as "readAt", calendar.time_zone as "timeZone"`.execute(db)
  return rows.map((row) => ({ ...row, nodeId }))
}

function listOwnedCalendars(db: Db, nodeId: string): Promise<Array<{ id: string; fence: number }>> {
  return db.selectFrom('calendar').select(['id', 'fence']).where('owner', '=', nodeId).execute()
}

/** Gives a calendar back, so that any node may poll it. */
async function releaseCalendar(db: Db, { calendarId, nodeId, fence }: PollLease): Promise<void> {
  await db
    .updateTable('calendar')
    .set({ owner: null })
    .where('id', '=', calendarId)
    .where('owner', '=', nodeId)
    .where('fence', '=', fence)
    .execute()
}

/** Gives a calendar back that could not be polled: it is tried again at that time, or when a person asked for it. */
async function releaseUntil(db: Db, claim: PollClaim, nextPollAt: Date): Promise<void> {
  await db
    .updateTable('calendar')
    .set({
      owner: null,
      next_poll_at: sql<Date>`case when next_poll_at > ${claim.dueAt}::timestamptz
        then least(next_poll_at, ${nextPollAt}::timestamptz) else ${nextPollAt}::timestamptz end`,
    })
    .where('id', '=', claim.calendarId)
    .where('owner', '=', claim.nodeId)
    .where('fence', '=', claim.fence)
    .execute()
}

/** Asks for a poll at a time. A poll that is under way may have read the calendar already, so that another one follows. */
export async function requestPoll(
  db: Db,
  { calendarId, at, maxFailures }: { calendarId: string; at: Date; maxFailures: number },
): Promise<void> {
  await db
    .updateTable('calendar')
    .set({
      // Never the time for which a running poll was due: a later one shows that somebody asked afterwards.
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

/** A poll that a person asked for while the one of `dueAt` was under way comes before the one that is planned. */
export function keepRequestedPoll(
  planned: Date,
  { nextPollAt, dueAt }: { nextPollAt: Date; dueAt: Date },
): Date {
  return nextPollAt > dueAt && nextPollAt < planned ? nextPollAt : planned
}

/** `failures` counts this one. The wait doubles with each, and is not shorter than the server asks for. */
export function findNextAttempt(
  { intervalMs, random }: PollTimes,
  now: Date,
  { failures, retryAfterMs }: { failures: number; retryAfterMs: number | null },
): Date {
  const doubled = intervalMs * 2 ** Math.min(failures - 1, 20) * (1 + SPREAD * random())
  // A calendar that can be read may be read less often than that.
  const maxWait = Math.max(MAX_WAIT_MS, intervalMs)
  const wait = Math.min(Math.max(doubled, retryAfterMs ?? 0), maxWait)
  return new Date(now.getTime() + wait)
}
