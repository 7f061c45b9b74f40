import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { buildMayClaimCondition, buildOwnerDeadCondition } from '../../db/nodes/node-conditions.ts'
import type { CalendarKind } from '../calendar.ts'

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

/** Claims calendars without a live owner that are due, the longest waiting first. */
export async function claimDueCalendars(
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

export function listOwnedCalendars(
  db: Db,
  nodeId: string,
): Promise<Array<{ id: string; fence: number }>> {
  return db.selectFrom('calendar').select(['id', 'fence']).where('owner', '=', nodeId).execute()
}

/** Gives a calendar back, so that any node may poll it. */
export async function releaseCalendar(
  db: Db,
  { calendarId, nodeId, fence }: PollLease,
): Promise<void> {
  await db
    .updateTable('calendar')
    .set({ owner: null })
    .where('id', '=', calendarId)
    .where('owner', '=', nodeId)
    .where('fence', '=', fence)
    .execute()
}

/** Gives a calendar back that could not be polled: it is tried again at that time, or when a person asked for it. */
export async function releaseUntil(db: Db, claim: PollClaim, nextPollAt: Date): Promise<void> {
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
