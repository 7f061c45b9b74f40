import { formatDurationWithUnits } from '../../lib/time/duration-text.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time/durations.ts'

/** How far ahead a meeting can be scheduled. */
const MAX_DAYS_AHEAD = 90
/** A join time that has passed by no more than this means now: the request may have been on its way for long. */
const MAX_MINUTES_PAST = 10
/** How long before its join time a meeting begins: enough to claim it and to open a browser. */
export const LEAD_MS = 2 * MINUTE_MS
/** How many meetings one person or one API token can have scheduled; against a client that schedules in a loop. */
export const MAX_SCHEDULED = 10_000
/** How long a meeting is expected to last when its end is not known. */
export const DEFAULT_LENGTH_MS = HOUR_MS

/** Why a bot cannot be asked to join at this time; null when it can. */
export function findJoinTimeProblem(joinAt: Date, now: Date): string | null {
  const aheadMs = joinAt.getTime() - now.getTime()
  if (aheadMs > MAX_DAYS_AHEAD * DAY_MS) return `Must be at most ${MAX_DAYS_AHEAD} days ahead`
  if (aheadMs < -MAX_MINUTES_PAST * MINUTE_MS)
    return `Must not be more than ${MAX_MINUTES_PAST} minutes in the past`
  return null
}

/** Null when the bot joins at once. */
export function toFutureJoinTime(joinAt: Date | null, now: Date): Date | null {
  return joinAt !== null && joinAt > now ? joinAt : null
}

/** Whether a meeting that joins at this time begins at once. */
export function isWithinLead(joinAt: Date, now: Date): boolean {
  return joinAt.getTime() - now.getTime() <= LEAD_MS
}

/** A text that says how late it is, for a meeting that is over by now; null while joining late is still useful. */
export function describeMissedMeeting(
  { joinAt, expectedEndAt }: { joinAt: Date | null; expectedEndAt: Date | null },
  now: Date,
): string | null {
  const endsAt = expectedEndAt ?? (joinAt && new Date(joinAt.getTime() + DEFAULT_LENGTH_MS))
  if (endsAt === null || now <= endsAt) return null
  // It was to be joined at once, after its start.
  if (joinAt === null) return 'The service could not join before the end of the meeting'
  const late = formatDurationWithUnits(now.getTime() - joinAt.getTime())
  return `The service could not join at the scheduled time and would have been ${late} late`
}
