import { sql } from 'kysely'
import { readsProject } from '../access/project-condition.ts'
import type { Viewer } from '../access/viewer.ts'
import type { PlatformName } from '../bots/platforms/platform.ts'
import type { Db, Tx } from '../db/database.ts'
import { DAY_MS } from '../lib/time/durations.ts'
import { BRIEF_MINUTES } from './brief-values.ts'

/** A meeting that a bot will join: an occurrence of a calendar, or a meeting that was scheduled without one. */
export type PlannedMeeting = {
  id: string
  /** Stays the same if the meeting is moved. Invitations to one meeting in several calendars of a project share it. */
  key: string
  startsAt: Date
  title: string
  project: string
  platform: PlatformName | null
}

export type PlannedMeetingOfTask = PlannedMeeting & { taskId: string }

/** A meeting that was moved by less than this after it was briefed is not briefed again. */
const SAME_START = sql`interval '12 hours'`
/** How far ahead a task that is run by hand looks for a meeting. */
const MAX_AHEAD_MS = 14 * DAY_MS
const CLAIMS_KEPT_MS = 2 * DAY_MS

/** `from` is not part of the range. Both are SQL, because the range can depend on the row of a task. */
function selectPlanned(from: unknown, to: unknown) {
  return sql`
    select o.id, md5(concat_ws(E'\n', calendar.project, o.uid, o.key)) as key, o.starts_at as "startsAt", o.title,
      calendar.project, o.platform
    from occurrence o join calendar on calendar.id = o.calendar_id
    where o.decision = 'join' and o.starts_at > ${from} and o.starts_at <= ${to}
    union all
    select m.id, m.id, m.join_at, coalesce(m.title, m.label), m.project, m.platform
    from meeting m
    where m.status = 'scheduled' and m.join_at > ${from} and m.join_at <= ${to}
      and not exists (select from occurrence o where o.meeting_id = m.id)`
}

/** SQL condition: the meeting was not briefed for the reader, or was moved far since. */
export function isUnclaimed(reader: unknown, key: unknown, startsAt: unknown) {
  return sql<boolean>`not exists (select from brief_claim c where c.reader = ${reader} and c.key = ${key}
    and c.starts_at > ${startsAt} - ${SAME_START} and c.starts_at < ${startsAt} + ${SAME_START})`
}

/** The next meetings that are due for a task with the trigger `before_meeting`, whatever its conditions are. */
export async function findMeetingsDueForTasks(
  db: Db,
  now: Date,
  limit: number,
): Promise<PlannedMeetingOfTask[]> {
  const { rows } = await sql<PlannedMeetingOfTask>`
    select planned.*, t.id as "taskId"
    from (select id, now_at + make_interval(mins => coalesce((trigger ->> 'minutes')::int, ${BRIEF_MINUTES.default})) as until
        from task, (select ${now}::timestamptz as now_at) as clock
        where enabled and trigger ->> 'on' = 'before_meeting') as t
      cross join lateral (${selectPlanned(now, sql`t.until`)}) as planned
    where ${isUnclaimed(sql`'task:' || t.id`, sql`planned.key`, sql`planned."startsAt"`)}
    order by planned."startsAt", planned.id, t.id limit ${limit}`.execute(db)
  return rows
}

/** The next meetings that the viewer may read, soonest first. */
export async function listPlannedMeetings(
  db: Db,
  viewer: Viewer,
  now: Date,
  limit: number,
): Promise<PlannedMeeting[]> {
  const { rows } = await sql<PlannedMeeting>`
    select * from (${selectPlanned(now, new Date(now.getTime() + MAX_AHEAD_MS))}) as planned
    where ${readsProject(viewer, 'planned.project')}
    order by "startsAt", id limit ${limit}`.execute(db)
  return rows
}

/**
 * Marks in the transaction that the brief is made. False if another node has done so, or the meeting was moved or is not
 * planned any more.
 */
export async function claimPlannedMeeting(
  tx: Tx,
  reader: string,
  { id, key, startsAt }: PlannedMeeting,
): Promise<boolean> {
  const justBefore = new Date(startsAt.getTime() - 1)
  return insertClaim(
    tx,
    { reader, key, startsAt },
    sql`
    exists (select from (${selectPlanned(justBefore, startsAt)}) as planned where planned.id = ${id})`,
  )
}

/** One transaction after another claims for a reader, so that two starts of a meeting are compared. */
export async function insertClaim(
  tx: Tx,
  { reader, key, startsAt }: { reader: string; key: string; startsAt: Date },
  isCurrent: ReturnType<typeof sql> = sql`true`,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`hansard brief ${reader} ${key}`}, 0))`.execute(
    tx,
  )
  const at = sql`${startsAt}::timestamptz`
  const { numAffectedRows = 0n } = await sql`
    insert into brief_claim (reader, key, starts_at) select ${reader}, ${key}, ${at}
    where ${isCurrent} and ${isUnclaimed(sql`${reader}`, sql`${key}`, at)}`.execute(tx)
  return numAffectedRows > 0n
}

/** Deletes the claims of meetings that are over. */
export async function deleteOldBriefClaims(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - CLAIMS_KEPT_MS)
  await db.deleteFrom('brief_claim').where('starts_at', '<', before).execute()
}
