/** What became of one attempt. */
export const ATTEMPT_OUTCOMES = ['delivered', 'failed', 'rejected', 'gone'] as const
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number]

/**
 * Answers that blame the event rather than the receiver. A wrong secret answers 401 and a receiver that is
 * being deployed 404: those are waited for, because the transcript must not be lost for them.
 */
const REJECTION_STATUSES = new Set([
  400, 405, 406, 409, 411, 412, 413, 414, 415, 416, 417, 418, 422, 431, 451, 501,
])
const GONE_STATUS = 410

/** Null: there was no answer. */
export function classifyStatus(status: number | null): AttemptOutcome {
  if (status === null) return 'failed'
  if (status >= 200 && status < 300) return 'delivered'
  if (status === GONE_STATUS) return 'gone'
  return REJECTION_STATUSES.has(status) ? 'rejected' : 'failed'
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

export const LANE_RULES = {
  timeoutMs: 10 * SECOND,
  partialTimeoutMs: 3 * SECOND,
  /** Pauses after a fault of the receiver; the last one repeats. */
  backoffMs: [1, 2, 5, 10, 30, 60, 120, 300].map((seconds) => seconds * SECOND),
  /** That long after the end of the meeting the last step of the ladder gives way to the slow one. */
  slowRetryAfterMs: HOUR,
  slowRetryMs: 30 * MINUTE,
  /** An event that was refused so often, over the sum of these pauses, is left behind. */
  rejectionMs: [5, 10, 20, 30].map((seconds) => seconds * SECOND),
  /** While the meeting goes on; after it a receiver can have as long as the slow step. */
  maxRetryAfterMs: 5 * MINUTE,
  /** A partial waits that long after the one before it. */
  partialIntervalMs: 250,
  partialMaxAgeMs: 2 * SECOND,
  /** A durable event waits that long for a partial under way. */
  partialGraceMs: 250,
  partialMaxTimeouts: 3,
  partialPauseMs: 10 * SECOND,
} as const

export type LaneRules = typeof LANE_RULES

type FailureContext = {
  /** Failed attempts in a row, this one included. */
  failures: number
  retryAfterMs: number | null
  /** Since when the meeting is over; null while it goes on. */
  sinceMeetingEndMs: number | null
}

/** How long to wait after a fault of the receiver; jitter from half to the whole. */
export function backoffAfterFailure(
  rules: LaneRules,
  trouble: FailureContext,
  random: number,
): number {
  const { failures, retryAfterMs, sinceMeetingEndMs } = trouble
  if (retryAfterMs !== null) {
    const longest = sinceMeetingEndMs === null ? rules.maxRetryAfterMs : rules.slowRetryMs
    return Math.min(Math.max(retryAfterMs, SECOND), longest)
  }
  const step = rules.backoffMs[failures - 1]
  const isTail = sinceMeetingEndMs !== null && sinceMeetingEndMs > rules.slowRetryAfterMs
  const pause = step ?? (isTail ? rules.slowRetryMs : (rules.backoffMs.at(-1) ?? rules.slowRetryMs))
  return pause / 2 + (pause / 2) * random
}

/** How long to wait after a refusal, or null when the event has been refused often enough. */
export function backoffAfterRejection(rules: LaneRules, rejections: number): number | null {
  return rules.rejectionMs[rejections - 1] ?? null
}
