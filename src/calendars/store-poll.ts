import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { MINUTE_MS } from '../lib/time/durations.ts'
import { alignMeetings, type MeetingChanger } from './attending/align-meetings.ts'
import { selectCalendars, findCalendarObstacle } from './calendar-store.ts'
import type { Calendar } from './calendar.ts'
import { ATTEND_LEAD_MS } from './planning/decide-attendance.ts'
import { type LinkedOccurrence, KEPT_AFTER_END_MS } from './planning/occurrence-store.ts'
import { planCalendar, planInTransaction } from './planning/plan-calendar.ts'
import { storeEventChanges } from './providers/event-store.ts'
import { OBSTACLE_REASONS } from './planning/reasons.ts'
import {
  type PollClaim,
  type PollLease,
  findNextAttempt,
  findNextPoll,
  keepRequestedPoll,
  MAX_FAILURES_FOR_POLL_NOW,
  type PollTimes,
} from './poll-runner.ts'
import type { PollContent, PollResult } from './sources/calendar-source.ts'

type Parts = {
  db: Db
  times: PollTimes
  meetings: MeetingChanger
}

/** The result of a poll, with the meetings that the occurrences lead to. */
export type LinkedPollResult =
  | Exclude<PollResult, PollContent>
  | (Omit<PollContent, 'occurrences'> & { occurrences: readonly LinkedOccurrence[] })

/** A longer text about a calendar's problems is cut. */
const MAX_PROBLEM_LENGTH = 1_000
/** After this time, a calendar that looks empty is believed to be empty. */
const BELIEVED_EMPTY_MS = 30 * MINUTE_MS
const BELIEVED = 2
const EMPTY_PROBLEM =
  'The calendar is empty now. What is planned stays until it has been empty for half an hour.'

/**
 * Stores the result of a poll and plans the calendar, in one transaction that the fence protects. Returns false if the
 * lease was lost: another node polls the calendar, its address changed, or it was removed.
 */
export async function storePoll(
  parts: Parts,
  lease: PollClaim,
  result: LinkedPollResult,
  now: Date,
): Promise<boolean> {
  if (result.kind !== 'changed' && !(await needsPlan(parts.db, lease.calendarId, now)))
    return storeWithoutPlan(parts, lease, result, now)
  const stored = await planInTransaction(parts.db, lease.calendarId, async (tx, calendar) => {
    const state = await readLeased(tx, lease)
    if (state === null) return false
    const isDoubtful = result.kind === 'changed' && isDoubtfullyEmpty(result, state, now)
    const obstacle = await findCalendarObstacle(tx, calendar, now)
    const isBelieved = result.kind === 'changed' && !isDoubtful
    const reported = isBelieved ? result.occurrences : null
    if (isBelieved && result.events !== null)
      await storeEventChanges(tx, calendar.id, result.events)
    const plan = await planCalendar(tx, calendar, { now, obstacle, reported })
    const { id: calendarId, project } = calendar
    await alignMeetings(tx, parts.meetings, { ...plan, calendarId, project })
    await tx
      .updateTable('calendar')
      .set({ owner: null, polled_at: now, ...(plan.isChanged && { changed_at: now }) })
      .set(
        toResultColumns(
          parts.times,
          { ...calendar, ...state, dueAt: lease.dueAt },
          { result, isDoubtful },
          now,
        ),
      )
      .where('id', '=', lease.calendarId)
      .execute()
    return true
  })
  return stored?.value ?? false
}

/** Most polls find nothing new. Without a plan, no other calendar has to wait for this one. */
function storeWithoutPlan(
  { db, times }: Parts,
  lease: PollClaim,
  result: Exclude<PollResult, PollContent>,
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const calendar = await selectCalendars(tx)
      .where('id', '=', lease.calendarId)
      .forUpdate()
      .executeTakeFirst()
    const state = await readLeased(tx, lease)
    if (calendar === undefined || state === null) return false
    await tx
      .updateTable('calendar')
      .set({ owner: null, polled_at: now })
      .set(
        toResultColumns(
          times,
          { ...calendar, ...state, dueAt: lease.dueAt },
          { result, isDoubtful: false },
          now,
        ),
      )
      .where('id', '=', lease.calendarId)
      .execute()
    return true
  })
}

type LeasedState = {
  failures: number
  /** 0: not empty. 1: empty since `readAt`, but not believed yet. 2: believed to be empty. */
  emptyPolls: number
  readAt: Date | null
  hasPlanned: boolean
}

/** Returns null if the lease was lost. The caller has locked the calendar's row. */
async function readLeased(tx: Tx, { calendarId, fence }: PollLease): Promise<LeasedState | null> {
  const row = await tx
    .selectFrom('calendar')
    .select(['failures', 'empty_polls as emptyPolls', 'read_at as readAt'])
    .select((eb) =>
      eb
        .exists(eb.selectFrom('occurrence').whereRef('calendar_id', '=', 'calendar.id'))
        .as('hasPlanned'),
    )
    .where('id', '=', calendarId)
    .where('fence', '=', fence)
    .executeTakeFirst()
  return row === undefined ? null : { ...row, hasPlanned: Boolean(row.hasPlanned) }
}

/**
 * Some servers answer with an empty calendar while they have a problem. So if a calendar had meetings, they are dropped
 * only after it has been empty for a while.
 */
function isDoubtfullyEmpty(
  { eventCount }: Pick<PollContent, 'eventCount'>,
  { hasPlanned, emptyPolls, readAt }: LeasedState,
  now: Date,
): boolean {
  if (eventCount === null || eventCount > 0 || !hasPlanned || emptyPolls >= BELIEVED) return false
  return emptyPolls === 0 || now.getTime() - (readAt ?? now).getTime() < BELIEVED_EMPTY_MS
}

type PolledCalendar = Pick<Calendar, 'brokenSince' | 'nextPollAt'> & LeasedState & { dueAt: Date }

function toResultColumns(
  times: PollTimes,
  { failures, brokenSince, emptyPolls, readAt, ...asked }: PolledCalendar,
  { result, isDoubtful }: { result: LinkedPollResult; isDoubtful: boolean },
  now: Date,
) {
  if (result.kind === 'failed') {
    const { problem, retryAfterMs } = result
    const next = { failures: failures + 1, retryAfterMs }
    const attempt = findNextAttempt(times, now, next)
    const isLeftAlone = next.failures > MAX_FAILURES_FOR_POLL_NOW
    return {
      failures: next.failures,
      problem: formatProblems([problem]),
      broken_since: brokenSince ?? now,
      empty_polls: 0,
      next_poll_at: isLeftAlone ? attempt : keepRequestedPoll(attempt, asked),
    }
  }
  const nextPollAt = keepRequestedPoll(findNextPoll(times, now), asked)
  const readable = { failures: 0, broken_since: null, next_poll_at: nextPollAt }
  if (result.kind === 'unchanged') {
    const { cursor } = result
    const next = cursor === undefined ? {} : { sync_cursor: cursor }
    return { ...readable, ...next, ...(failures > 0 && { problem: null }) }
  }
  // Without the ETag, the next poll reads the calendar again, even if the server would say that nothing changed.
  // `readAt` stays at the first empty answer.
  if (isDoubtful)
    return {
      ...readable,
      problem: EMPTY_PROBLEM,
      empty_polls: 1,
      read_at: emptyPolls === 0 ? now : readAt,
      etag: null,
      last_modified: null,
    }
  return {
    ...readable,
    problem: formatProblems(result.problems),
    etag: result.state.etag,
    last_modified: result.state.lastModified,
    sync_cursor: result.state.cursor,
    ...(result.isFull && { read_at: now }),
    empty_polls: result.eventCount === 0 ? BELIEVED : 0,
  }
}

/** Adds a full stop to every problem, so that callers need not. */
function formatProblems(problems: readonly string[]): string | null {
  const sentences = problems.map((problem) => (problem.endsWith('.') ? problem : `${problem}.`))
  return problems.length === 0 ? null : sentences.join(' ').slice(0, MAX_PROBLEM_LENGTH)
}

/**
 * True if a calendar whose events did not change must be planned again: an obstacle has gone, there is a new one, an
 * occurrence in a shared room may need another one's bot, or some occurrences are over.
 */
async function needsPlan(db: Db, calendarId: string, now: Date): Promise<boolean> {
  const calendar = await selectCalendars(db).where('id', '=', calendarId).executeTakeFirst()
  if (calendar === undefined) return false
  const obstacle = await findCalendarObstacle(db, calendar, now)
  const otherReasons = OBSTACLE_REASONS.filter((reason) => reason !== obstacle)
  const soon = new Date(now.getTime() + ATTEND_LEAD_MS)
  const expired = new Date(now.getTime() - KEPT_AFTER_END_MS)
  const { rows } = await sql<{ isNeeded: boolean }>`
    select exists (
      select from occurrence where calendar_id = ${calendarId} and ends_at > ${now}
        and (reason = any(${otherReasons}::text[])
          or ${obstacle !== null} and (decision = 'join' or reason = 'same_room')
          or reason = 'same_room' and starts_at <= ${soon} and attended_start is distinct from starts_at)
    ) or exists (
      select from occurrence where calendar_id = ${calendarId} and ends_at <= ${now}
        and (decision = 'join' or ends_at < ${expired})
    ) as "isNeeded"`.execute(db)
  return rows[0]?.isNeeded === true
}
