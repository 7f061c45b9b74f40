import type { Db, Tx } from '../../db/database.ts'
import { alignMeetings, type MeetingChanger } from '../attending/align-meetings.ts'
import type { Calendar } from '../calendar.ts'
import { acquirePlanningLock, type LinkedOccurrence } from '../planning/occurrence-store.ts'
import { planCalendar } from '../planning/plan-calendar.ts'
import type { PollContent, PollResult } from '../sources/calendar-source.ts'
import { selectCalendars } from '../store/calendar-store.ts'
import { findCalendarObstacle } from '../store/calendar-viewer.ts'
import type { PollLease } from './poll-claims.ts'
import { findNextAttempt, findNextPoll, type PollTimes } from './poll-times.ts'

type Parts = {
  db: Db
  times: PollTimes
  meetings: MeetingChanger
}

/** The result of a poll, with the meetings that the occurrences lead to. */
export type LinkedPollResult =
  | Exclude<PollResult, PollContent>
  | (Omit<PollContent, 'occurrences'> & { occurrences: readonly LinkedOccurrence[] })

/** More problems of one calendar are not shown. */
const MAX_PROBLEM_LENGTH = 1_000

/**
 * Stores the result of a poll and plans the calendar, in one transaction that the fence protects. Returns false when the
 * lease is lost: another node polls the calendar, it has another address, or it was removed.
 */
export function storePoll(
  parts: Parts,
  lease: PollLease,
  result: LinkedPollResult,
  now: Date,
): Promise<boolean> {
  return parts.db.transaction().execute(async (tx) => {
    await acquirePlanningLock(tx)
    const calendar = await lockLeased(tx, lease)
    if (calendar === null) return false
    const isDoubtful = result.kind === 'changed' && isFirstEmptyPoll(result, calendar)
    const reported = result.kind === 'changed' && !isDoubtful ? result.occurrences : null
    const obstacle = await findCalendarObstacle(tx, calendar, now)
    const isChanged = await planCalendar(tx, calendar, { now, obstacle, reported })
    await alignMeetings(tx, parts.meetings)
    await tx
      .updateTable('calendar')
      .set({ owner: null, polled_at: now, ...(isChanged && { changed_at: now }) })
      .set(toResultColumns(parts.times, calendar, { result, isDoubtful }, now))
      .where('id', '=', lease.calendarId)
      .execute()
    return true
  })
}

type LeasedCalendar = Calendar & { failures: number; emptyPolls: number; hasPlanned: boolean }

async function lockLeased(
  tx: Tx,
  { calendarId, fence }: PollLease,
): Promise<LeasedCalendar | null> {
  const row = await selectCalendars(tx)
    .select(['failures', 'empty_polls as emptyPolls'])
    .select((eb) =>
      eb
        .exists(eb.selectFrom('occurrence').whereRef('calendar_id', '=', 'calendar.id'))
        .as('hasPlanned'),
    )
    .where('id', '=', calendarId)
    .where('fence', '=', fence)
    .forUpdate('calendar')
    .executeTakeFirst()
  return row === undefined ? null : { ...row, hasPlanned: Boolean(row.hasPlanned) }
}

/**
 * Some servers answer with an empty calendar while they have a problem. The meetings of a calendar that had some are
 * dropped only when two polls in a row found nothing.
 */
function isFirstEmptyPoll(
  { eventCount }: Pick<PollContent, 'eventCount'>,
  calendar: LeasedCalendar,
): boolean {
  return eventCount === 0 && calendar.hasPlanned && calendar.emptyPolls === 0
}

function toResultColumns(
  times: PollTimes,
  { failures, brokenSince, emptyPolls }: LeasedCalendar,
  { result, isDoubtful }: { result: LinkedPollResult; isDoubtful: boolean },
  now: Date,
) {
  if (result.kind === 'failed') {
    const { problem, retryAfterMs } = result
    const next = { failures: failures + 1, retryAfterMs }
    return {
      failures: next.failures,
      problem,
      broken_since: brokenSince ?? now,
      next_poll_at: findNextAttempt(times, now, next),
    }
  }
  const readable = { failures: 0, broken_since: null, next_poll_at: findNextPoll(times, now) }
  if (result.kind === 'unchanged') return { ...readable, ...(failures > 0 && { problem: null }) }
  // Without the ETag the next poll reads the calendar again, even if the server says that nothing changed.
  if (isDoubtful) return { ...readable, empty_polls: 1, etag: null, last_modified: null }
  return {
    ...readable,
    problem: formatProblems(result.problems),
    etag: result.state.etag,
    last_modified: result.state.lastModified,
    read_at: now,
    empty_polls: result.eventCount === 0 ? emptyPolls + 1 : 0,
  }
}

function formatProblems(problems: readonly string[]): string | null {
  return problems.length === 0 ? null : problems.join(' ').slice(0, MAX_PROBLEM_LENGTH)
}
