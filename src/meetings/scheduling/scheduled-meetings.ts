import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '../../access/viewer.ts'
import type { Db, Tx } from '../../db/database.ts'
import { countRows } from '../../db/query-helpers.ts'
import { formatDurationWithUnits } from '../../lib/time/duration-text.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time/durations.ts'
import { isInEffect } from '../editing/edit-history.ts'
import type { Meeting } from '../meeting.ts'
import { changeMeetingStatus } from '../record/meeting-store.ts'

/** A due scheduled meeting, as it was read before it is locked. */
export type DueMeeting = {
  id: string
  joinAt: Date
  callbackUrl: string
  tokenId: string | null
  viewer: Viewer
  /** True if its start request lists the event `brief_ready`. */
  wantsBrief: boolean
  /** The step of a trace that scheduled it. */
  traceParent: string | null
}

/** A due meeting's position in the order in which meetings begin. */
export type DuePosition = Pick<DueMeeting, 'joinAt' | 'id'>

/** How far ahead a meeting can be scheduled. */
const MAX_DAYS_AHEAD = 90
/** A join time in the past by at most this much means now, because the request may have taken long to arrive. */
const MAX_MINUTES_PAST = 10
/** How long before its join time a meeting begins. Enough to claim it and to open a browser. */
export const LEAD_MS = 2 * MINUTE_MS
/** How many meetings one person or API token can have scheduled. Stops a client that schedules in a loop. */
export const MAX_SCHEDULED = 10_000
/** The assumed length of a meeting whose end is unknown. */
const DEFAULT_LENGTH_MS = HOUR_MS

/** Scheduled meetings whose join time is not after `until`, earliest first. */
export async function findDueMeetings(
  db: Db,
  until: Date,
  after: DuePosition | null,
  limit: number,
): Promise<DueMeeting[]> {
  const rows = await db
    .selectFrom('meeting')
    .select(['id', 'join_at as joinAt', 'callback_url as callbackUrl', 'token_id as tokenId'])
    .select(['scheduled_viewer as viewer', 'trace_parent as traceParent'])
    .select(sql<boolean>`coalesce(options -> 'events', 'null') @> '"brief_ready"'`.as('wantsBrief'))
    .where('status', '=', sql.lit('scheduled'))
    .where('join_at', '<=', until)
    .$if(after !== null, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('join_at', 'id'),
          '>',
          eb.tuple(after?.joinAt ?? new Date(0), after?.id ?? ''),
        ),
      ),
    )
    .orderBy('join_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.flatMap(({ joinAt, viewer, ...row }) =>
    joinAt === null || viewer === null ? [] : [{ ...row, joinAt, viewer }],
  )
}

/** The earliest join time of a scheduled meeting; null if none is scheduled. */
export async function findNextJoinTime(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('meeting')
    .select((eb) => eb.fn.min('join_at').as('at'))
    .where('status', '=', sql.lit('scheduled'))
    .executeTakeFirst()
  return row?.at ?? null
}

/** Counts all scheduled meetings with an index. */
export function countScheduledMeetings(db: Db): Promise<number> {
  return countRows(db.selectFrom('meeting').where('status', '=', sql.lit('scheduled')))
}

/** SQL condition: the meeting was over before a bot joined it. The same rule as `describeMissedMeeting`. */
export function buildMissedCondition(now: Date): RawBuilder<boolean> {
  return sql`(status = 'joining'
    and coalesce(expected_end_at, join_at + ${DEFAULT_LENGTH_MS} * interval '1 millisecond') < ${now})`
}

/** If the meeting was over before a bot joined it, returns a text that says how late it is; otherwise null. */
export async function findMissedDetail(
  db: Db,
  { id, status, joinAt }: Pick<Meeting, 'id' | 'status' | 'joinAt'>,
  now: Date,
): Promise<string | null> {
  if (status !== 'joining') return null
  const row = await db
    .selectFrom('meeting')
    .select('expected_end_at as expectedEndAt')
    .where('id', '=', id)
    .executeTakeFirst()
  return describeMissedMeeting({ joinAt, expectedEndAt: row?.expectedEndAt ?? null }, now)
}

/** How many meetings this person has scheduled, or this token if it acts for no person. Stops counting at `limit`. */
export async function countScheduledBy(
  db: Db,
  { viewer, tokenId }: { viewer: Viewer; tokenId: string | null },
  limit: number,
): Promise<number> {
  const isOwn =
    viewer.kind === 'user'
      ? sql<boolean>`scheduled_viewer ->> 'userId' = ${viewer.userId}`
      : sql<boolean>`token_id = ${tokenId}`
  const rows = await db
    .selectFrom('meeting')
    .select(sql<number>`1`.as('one'))
    .where('status', '=', sql.lit('scheduled'))
    .where(isOwn)
    .limit(limit)
    .execute()
  return rows.length
}

/** Changes when a meeting begins. False if it is no longer scheduled. */
export async function rescheduleMeeting(
  db: Db,
  id: string,
  joinAt: Date,
  expectedEndAt: Date | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('meeting')
    .set({ join_at: joinAt, started_at: joinAt, expected_end_at: expectedEndAt })
    .where('id', '=', id)
    .where('status', '=', 'scheduled')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * A meeting that never took place starts no tasks that wait for its end, and its receiver gets no event. Lists show it
 * at its end, not at its join time in the future.
 */
function endWithoutBeginning(at: Date) {
  return { tasks_started: true, started_at: at, ended_at: at }
}

/** Ends a meeting before it begins, because it was stopped. False if it is no longer scheduled. */
export async function cancelScheduledMeeting(db: Db, id: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('meeting')
    .set({ ...endWithoutBeginning(at), status: 'ended', reason: 'stopped' })
    .where('id', '=', id)
    .where('status', '=', 'scheduled')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stops all meetings that are scheduled with this token, and returns how many. */
export async function cancelScheduledMeetingsOfToken(
  db: Db,
  tokenId: string,
  at: Date,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('meeting')
    .set({ ...endWithoutBeginning(at), status: 'ended', reason: 'stopped' })
    .where('token_id', '=', tokenId)
    .where('status', '=', sql.lit('scheduled'))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * Ends a user's scheduled meetings in the transaction that removes or deactivates the user: nobody's rights would allow
 * them.
 */
export async function endScheduledMeetingsOfUser(tx: Db, userId: string, at: Date): Promise<void> {
  await tx
    .updateTable('meeting')
    .set({
      ...endWithoutBeginning(at),
      status: 'error',
      reason: 'not_allowed',
      detail: 'The person who scheduled the meeting was removed or deactivated',
    })
    .where('status', '=', sql.lit('scheduled'))
    .where(sql<boolean>`scheduled_viewer ->> 'userId' = ${userId}`)
    .execute()
}

/** Returns why a bot cannot join at this time; null if it can. */
export function findJoinTimeProblem(joinAt: Date, now: Date): string | null {
  const aheadMs = joinAt.getTime() - now.getTime()
  if (aheadMs > MAX_DAYS_AHEAD * DAY_MS) return `Must be at most ${MAX_DAYS_AHEAD} days ahead`
  if (aheadMs < -MAX_MINUTES_PAST * MINUTE_MS)
    return `Must not be more than ${MAX_MINUTES_PAST} minutes in the past`
  return null
}

/** Returns null if the bot joins at once. */
export function toFutureJoinTime(joinAt: Date | null, now: Date): Date | null {
  return joinAt !== null && joinAt > now ? joinAt : null
}

/** True if a meeting with this join time begins at once. */
export function isWithinLead(joinAt: Date, now: Date): boolean {
  return joinAt.getTime() - now.getTime() <= LEAD_MS
}

/** Returns how late it is if the meeting is already over; null while joining late is still useful. */
export function describeMissedMeeting(
  { joinAt, expectedEndAt }: { joinAt: Date | null; expectedEndAt: Date | null },
  now: Date,
): string | null {
  const endsAt = expectedEndAt ?? (joinAt && new Date(joinAt.getTime() + DEFAULT_LENGTH_MS))
  if (endsAt === null || now <= endsAt) return null
  // It should have been joined right after it was started.
  if (joinAt === null) return 'The service could not join before the end of the meeting'
  const late = formatDurationWithUnits(now.getTime() - joinAt.getTime())
  return `The service could not join at the scheduled time and would have been ${late} late`
}

/**
 * Ends a meeting before its join time: `cancelled` if it had not begun, `stopping` if its bot is already waiting.
 * Returns null, and changes nothing, if the meeting is taking place or is over.
 */
export async function withdrawMeeting(
  tx: Tx,
  id: string,
  now: Date,
): Promise<'cancelled' | 'stopping' | null> {
  if (await cancelScheduledMeeting(tx, id, now)) return 'cancelled'
  const row = await tx
    .selectFrom('meeting')
    .select('join_at')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined || row.join_at === null || row.join_at <= now) return null
  const change = { to: 'stopping', reason: 'stopped', at: now } as const
  return (await changeMeetingStatus(tx, id, change)) === null ? null : 'stopping'
}

/**
 * Changes the title of a meeting that has not begun; its document and events will have the new one. Does not replace a
 * title that a person gave.
 */
export async function renameScheduledMeeting(
  tx: Tx,
  id: string,
  title: string | null,
): Promise<void> {
  await tx
    .updateTable('meeting')
    .set({ title })
    .where('id', '=', id)
    .where('status', '=', 'scheduled')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('meeting_edit as e')
            .select('e.number')
            .whereRef('e.meeting_id', '=', 'meeting.id')
            .where('e.kind', '=', 'title')
            .where(isInEffect),
        ),
      ),
    )
    .execute()
}
