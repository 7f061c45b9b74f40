import { HOUR_MS } from '../../lib/time/durations.ts'

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
