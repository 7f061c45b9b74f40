import {
  classifyStatus,
  backoffAfterFailure,
  backoffAfterRejection,
  type AttemptOutcome,
  type LaneRules,
} from './retry-policy.ts'
import type { PostResult } from '../network/transport.ts'

export type LaneKind = 'meeting' | 'replay'

export type LaneEvent = { sequence: number; type: string; at: number; body: string }

/** Where a lane stands: what is stored, and nothing else. Times in milliseconds of the wall clock. */
export type LaneProgress = {
  state: 'open' | 'closed'
  /** Whatever has a number up to this is settled. */
  deliveredThrough: number
  previousSequence: number
  failures: number
  rejections: number
  rejectedSince: number | null
  /** When the head may be tried again, or when somebody has to look; null: nothing is left to do. */
  dueAt: number | null
  lastError: string | null
}

export type DeadLetter = { sequence: number; reason: 'rejected' | 'expired' }

/** What one attempt changes. */
export type LaneTransition = {
  next: LaneProgress
  outcome: AttemptOutcome
  deadLetters: DeadLetter[]
}

type AttemptContext = {
  progress: LaneProgress
  head: LaneEvent
  /** Further events that wait behind the head, as far as known. */
  queuedAfterHead(): readonly LaneEvent[]
  result: PostResult
  now: number
  random: number
  /** When the meeting ended; null while it goes on. */
  meetingEndedAt: number | null
  rules: LaneRules
  /** An event older than this that cannot be delivered is given up. */
  giveUpMs: number
  /** When a replay was asked for: what it sends is no older than that. Null: the lane of the meeting itself. */
  replayRequestedAt: number | null
}

/** Pure: where a lane stands after an attempt. */
export function transitionAfter(attempted: AttemptContext): LaneTransition {
  const outcome = classifyStatus(attempted.result.status)
  switch (outcome) {
    case 'delivered':
      return {
        next: advancePast(attempted.progress, attempted.head.sequence, attempted.now),
        outcome,
        deadLetters: [],
      }
    case 'gone':
      return {
        next: { ...withFailure(attempted), state: 'closed', dueAt: null },
        outcome,
        deadLetters: [],
      }
    case 'rejected':
      return afterRejection(attempted)
    case 'failed':
      return afterFailure(attempted)
  }
}

/** The head is settled. */
function advancePast(state: LaneProgress, sequence: number, now: number): LaneProgress {
  return {
    ...state,
    deliveredThrough: sequence,
    previousSequence: sequence,
    failures: 0,
    rejections: 0,
    rejectedSince: null,
    // Left as it is where it can be: an indexed column that stands still makes the write much cheaper.
    dueAt: Math.min(state.dueAt ?? now, now),
    lastError: null,
  }
}

function withFailure({ progress, result }: AttemptContext): LaneProgress {
  const lastError = result.status === null ? result.error : `http_${result.status}`
  return { ...progress, failures: progress.failures + 1, lastError }
}

function afterRejection(attempted: AttemptContext): LaneTransition {
  const { progress, head, now, rules } = attempted
  const next = withFailure(attempted)
  const rejections = progress.rejections + 1
  const pause = backoffAfterRejection(rules, rejections)
  if (pause === null) {
    const deadLetters: DeadLetter[] = [{ sequence: head.sequence, reason: 'rejected' }]
    const passed = { ...advancePast(progress, head.sequence, now), lastError: next.lastError }
    return { next: passed, outcome: 'rejected', deadLetters }
  }
  const rejectedSince = progress.rejectedSince ?? now
  return {
    next: { ...next, rejections, rejectedSince, dueAt: now + pause },
    outcome: 'rejected',
    deadLetters: [],
  }
}

function afterFailure(attempted: AttemptContext): LaneTransition {
  const { head, queuedAfterHead, result, now, random, meetingEndedAt, rules, giveUpMs } = attempted
  const oldest = attempted.replayRequestedAt ?? -Infinity
  const next = withFailure(attempted)
  const sinceMeetingEndMs = meetingEndedAt === null ? null : now - meetingEndedAt
  const trouble = { failures: next.failures, retryAfterMs: result.retryAfterMs, sinceMeetingEndMs }
  const dueAt = now + backoffAfterFailure(rules, trouble, random)
  const waiting = [head, ...queuedAfterHead()]
  // Only from the front: clocks of nodes differ, and what is younger than its successor is not passed over.
  const young = waiting.findIndex(({ at }) => now - Math.max(at, oldest) <= giveUpMs)
  const expired = young === -1 ? waiting : waiting.slice(0, young)
  const last = expired.at(-1)
  return {
    next: {
      ...next,
      dueAt,
      ...(last !== undefined && {
        deliveredThrough: last.sequence,
        previousSequence: last.sequence,
        rejections: 0,
        rejectedSince: null,
      }),
    },
    outcome: 'failed',
    deadLetters: expired.map(({ sequence }) => ({ sequence, reason: 'expired' })),
  }
}
