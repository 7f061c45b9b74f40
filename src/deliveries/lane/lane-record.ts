import type { PostResult } from '../transport.ts'
import type { CallbackSecrets } from '../signature.ts'
import {
  type AttemptOutcome,
  classifyResponseStatus,
  backoffMsAfterFailure,
  backoffMsAfterRejection,
  type LaneRules,
} from './retry-policy.ts'

export type LaneKind = LaneEventRange['kind']

/** A stored event with the exact bytes that are sent. `at` is wall-clock time in milliseconds. */
export type LaneEvent = { sequence: number; type: string; at: number; body: string }

/** The stored progress of a lane. All times are wall-clock milliseconds. */
export type LaneProgress = {
  state: 'open' | 'closed'
  /** Every event up to this sequence is delivered, given up or excluded by the filter of the lane. */
  deliveredThrough: number
  /** The sequence that the next request names as its predecessor. */
  previousSequence: number
  /** Consecutive failed and rejected attempts for the head event. */
  failures: number
  /** Rejected attempts for the head event. */
  rejections: number
  /** When the receiver began to fail. Null after it accepted an event. */
  failingSince: number | null
  /** When a node should next work on the lane. Null if nothing is left to send. */
  dueAt: number | null
  lastError: string | null
}

/** The `lastError` of a lane that waits for other failing lanes of its receiver and token. */
export const HELD_BACK_LAST_ERROR = 'held_back'

/** An event that was given up, because the receiver rejected it too often or it became too old. */
export type DeadLetter = { sequence: number; reason: 'rejected' | 'expired' }

export type LaneEventRange =
  /** All events, until the last event of the meeting. */
  | { kind: 'meeting' }
  /** A replay, which sends stored events again up to `lastSequence`. */
  | {
      kind: 'replay'
      lastSequence: number
      requestedAt: number
      /** False if the replay goes to another URL. Events given up there are not listed as failed. */
      usesMeetingUrl: boolean
    }
  /** The messages of a project to the webhook of a chat. They wait in the store until a node finds the lane due. */
  | { kind: 'notification'; notificationId: string }

/** A lane with its stored progress when a node claimed it. */
export type LaneRecord = LaneProgress &
  LaneEventRange & {
    id: string
    /** Fencing token. It grows with every claim, and a write with an older fence is refused. */
    fence: number
    /** Empty for messages. */
    meetingId: string
    url: string
    tokenId: string
    /** The event types that the receiver wants. Null means all types. */
    events: readonly string[] | null
    /** When the meeting ended. Null while it is running. */
    meetingEndedAt: number | null
    /** The step of a trace that began the meeting. */
    traceParent?: string | null
  }

/** One attempt as the delivery log stores it. */
export type DeliveryAttemptRow = {
  id: string
  sequence: number
  type: string
  startedAt: number
  result: PostResult
  outcome: AttemptOutcome
}

/** What a lane stores after each attempt, and after it has sent everything. */
export type LaneChange = {
  lane: LaneRecord
  next: LaneProgress
  deadLetters: DeadLetter[]
  attempt: DeliveryAttemptRow | null
}

export interface LaneStore {
  /** Returns up to `limit` stored events after a sequence, in order, and when the meeting ended. */
  readEvents(
    lane: LaneRecord,
    after: number,
    limit: number,
  ): Promise<{ events: LaneEvent[]; endedAt: number | null }>
  /** False if another node claimed the lane, so nothing was written. A change without a due time releases the lane. */
  writeChange(change: LaneChange): Promise<boolean>
  /** The secrets of a token that sign callbacks. Null if the token was removed, so no callback can be signed. */
  secretsOf(tokenId: string): Promise<CallbackSecrets | null>
}

/** What one attempt changes in its lane. */
export type LaneTransition = {
  next: LaneProgress
  outcome: AttemptOutcome
  deadLetters: DeadLetter[]
}

type AttemptContext = {
  kind: LaneKind
  progress: LaneProgress
  head: LaneEvent
  /** The events in memory that wait behind the head. */
  queuedAfterHead(): readonly LaneEvent[]
  result: PostResult
  now: number
  random: number
  /** When the meeting ended. Null while it is running. */
  meetingEndedAt: number | null
  rules: LaneRules
  /** An undeliverable event older than this is given up. */
  giveUpMs: number
  /** When the replay was requested. Its events are treated as no older than that. Null for the lane of a meeting. */
  replayRequestedAt: number | null
}

/** Computes the progress of a lane after one attempt. Pure. */
export function computeLaneTransition(context: AttemptContext): LaneTransition {
  if (context.result.wasStaleConnection) return afterStaleConnection(context)
  const outcome = classifyResponseStatus(context.result.status, context.kind)
  switch (outcome) {
    case 'delivered':
      return {
        next: advancePast(context.progress, context.head.sequence, context.now),
        outcome,
        deadLetters: [],
      }
    case 'gone':
      return {
        next: { ...withFailure(context), state: 'closed', dueAt: null },
        outcome,
        deadLetters: [],
      }
    case 'rejected':
      return afterRejection(context)
    case 'failed':
      return afterFailure(context)
  }
}

/** The receiver did nothing wrong, so the lane sends the head again at once and counts no failure. */
function afterStaleConnection({ progress, now }: AttemptContext): LaneTransition {
  const dueAt = Math.min(progress.dueAt ?? now, now)
  return { next: { ...progress, dueAt }, outcome: 'failed', deadLetters: [] }
}

/** The head is delivered, given up or no longer to be sent, so the next event becomes the head. */
export function advancePast(progress: LaneProgress, sequence: number, now: number): LaneProgress {
  return {
    ...progress,
    deliveredThrough: sequence,
    previousSequence: sequence,
    failures: 0,
    rejections: 0,
    failingSince: null,
    // due_at is indexed, and an update that leaves it unchanged is much cheaper.
    dueAt: Math.min(progress.dueAt ?? now, now),
    lastError: null,
  }
}

function withFailure({ progress, result, now }: AttemptContext): LaneProgress {
  const lastError = result.status === null ? result.error : `http_${result.status}`
  const failingSince = progress.failingSince ?? now
  return { ...progress, failures: progress.failures + 1, failingSince, lastError }
}

function afterRejection(context: AttemptContext): LaneTransition {
  const { progress, head, now, rules } = context
  const next = withFailure(context)
  const rejections = progress.rejections + 1
  const backoffMs = backoffMsAfterRejection(rules, rejections)
  if (backoffMs === null) {
    const deadLetters: DeadLetter[] = [{ sequence: head.sequence, reason: 'rejected' }]
    // The receiver keeps failing until it accepts an event.
    const { failingSince, lastError } = next
    const advanced = { ...advancePast(progress, head.sequence, now), failingSince, lastError }
    return { next: advanced, outcome: 'rejected', deadLetters }
  }
  return {
    next: { ...next, rejections, dueAt: now + backoffMs },
    outcome: 'rejected',
    deadLetters: [],
  }
}

function afterFailure(context: AttemptContext): LaneTransition {
  const { head, queuedAfterHead, result, now, random, meetingEndedAt, rules, giveUpMs } = context
  const requestedAt = context.replayRequestedAt ?? -Infinity
  const next = withFailure(context)
  const sinceMeetingEndMs = meetingEndedAt === null ? null : now - meetingEndedAt
  const failure = { failures: next.failures, retryAfterMs: result.retryAfterMs, sinceMeetingEndMs }
  const dueAt = now + backoffMsAfterFailure(rules, failure, random)
  const waiting = [head, ...queuedAfterHead()]
  // Clocks of nodes differ, so a young event may precede an old one. Only events before the first young one expire.
  const firstYoung = waiting.findIndex(({ at }) => now - Math.max(at, requestedAt) <= giveUpMs)
  const expired = firstYoung === -1 ? waiting : waiting.slice(0, firstYoung)
  const last = expired.at(-1)
  return {
    next: {
      ...next,
      dueAt,
      ...(last !== undefined && {
        deliveredThrough: last.sequence,
        previousSequence: last.sequence,
        rejections: 0,
      }),
    },
    outcome: 'failed',
    deadLetters: expired.map(({ sequence }) => ({ sequence, reason: 'expired' })),
  }
}
