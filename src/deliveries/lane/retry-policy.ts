import type { LaneKind } from './lane-record.ts'

/** The result of one delivery attempt. `gone`: the receiver wants no more events. */
export const ATTEMPT_OUTCOMES = ['delivered', 'failed', 'rejected', 'gone'] as const
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number]

/**
 * Statuses that mean the receiver rejects this event. 401 (wrong secret) and 404 (receiver being deployed) are not
 * among them, because retrying those may still deliver the transcript.
 */
const REJECTION_STATUSES = new Set([
  400, 405, 406, 409, 411, 412, 413, 414, 415, 416, 417, 418, 422, 431, 451, 501,
])
const GONE_STATUS = 410
const NOT_FOUND_STATUS = 404

/**
 * Classifies the status of a response. Null means that the receiver did not respond. A chat answers 404 after the
 * webhook or its channel was deleted.
 */
export function classifyResponseStatus(
  status: number | null,
  laneKind: LaneKind = 'meeting',
): AttemptOutcome {
  if (status === null) return 'failed'
  if (status >= 200 && status < 300) return 'delivered'
  if (status === GONE_STATUS) return 'gone'
  if (status === NOT_FOUND_STATUS && laneKind === 'notification') return 'gone'
  return REJECTION_STATUSES.has(status) ? 'rejected' : 'failed'
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

export const LANE_RULES = {
  timeoutMs: 10 * SECOND,
  partialTimeoutMs: 3 * SECOND,
  /** The delays between attempts while the receiver fails. The last delay repeats. */
  backoffMs: [1, 2, 5, 10, 30, 60, 120, 300].map((seconds) => seconds * SECOND),
  /** After this time since the end of the meeting, `slowRetryMs` replaces the last step of `backoffMs`. */
  slowRetryAfterMs: HOUR,
  slowRetryMs: 30 * MINUTE,
  /** The delays between attempts while the receiver rejects an event. The rejection after the last delay is final. */
  rejectionBackoffMs: [5, 10, 20, 30].map((seconds) => seconds * SECOND),
  /** Limit for Retry-After while the meeting is running. After the meeting the limit is `slowRetryMs`. */
  maxRetryAfterMs: 5 * MINUTE,
  /** The minimum time between two partial captions. */
  partialIntervalMs: 250,
  /** A partial caption older than this is dropped. */
  partialMaxAgeMs: 2 * SECOND,
  /** A stored event waits at most this long for a partial caption in flight. */
  partialGraceMs: 250,
  /** After this many consecutive timeouts, partial captions pause for `partialPauseMs`. */
  partialMaxTimeouts: 3,
  partialPauseMs: 10 * SECOND,
} as const

export type LaneRules = typeof LANE_RULES

type FailureContext = {
  /** Consecutive failed attempts, including this one. */
  failures: number
  retryAfterMs: number | null
  /** Time since the meeting ended. Null while it is running. */
  sinceMeetingEndMs: number | null
}

/** How long a lane waits after a failure: the Retry-After time, or a random half to all of a back-off step. */
export function backoffMsAfterFailure(
  rules: LaneRules,
  failure: FailureContext,
  random: number,
): number {
  const { failures, retryAfterMs, sinceMeetingEndMs } = failure
  if (retryAfterMs !== null) {
    const maxMs = sinceMeetingEndMs === null ? rules.maxRetryAfterMs : rules.slowRetryMs
    return Math.min(Math.max(retryAfterMs, SECOND), maxMs)
  }
  const step = rules.backoffMs[failures - 1]
  const isSlow = sinceMeetingEndMs !== null && sinceMeetingEndMs > rules.slowRetryAfterMs
  const pause = step ?? (isSlow ? rules.slowRetryMs : (rules.backoffMs.at(-1) ?? rules.slowRetryMs))
  return pause / 2 + (pause / 2) * random
}

/** How long a lane waits after a rejection. Null if the event was rejected often enough to give it up. */
export function backoffMsAfterRejection(rules: LaneRules, rejectionCount: number): number | null {
  return rules.rejectionBackoffMs[rejectionCount - 1] ?? null
}
