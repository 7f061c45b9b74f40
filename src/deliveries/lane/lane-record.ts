import type { CallbackSecrets } from '../signature.ts'
import type { PostResult } from '../network/transport.ts'
import type { AttemptOutcome } from './retry-policy.ts'

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
  /** Failed and rejected attempts in a row for the head event. */
  failures: number
  /** Rejected attempts for the head event. */
  rejections: number
  /** When the receiver began to fail; null after it accepted an event. */
  failingSince: number | null
  /** When a node should next work on the lane; null when nothing is left to send. */
  dueAt: number | null
  lastError: string | null
}

/**
 * The `lastError` of a lane that has not failed itself, but waits because other lanes of the same receiver and token
 * fail.
 */
export const HELD_BACK_LAST_ERROR = 'held_back'

/** An event that was given up: the receiver rejected it too often, or it became too old. */
export type DeadLetter = { sequence: number; reason: 'rejected' | 'expired' }

/** Which events of the meeting a lane sends. */
export type LaneEventRange =
  /** All events, until the last event of the meeting. */
  | { kind: 'meeting' }
  /** A replay: the lane sends stored events again, up to `lastSequence`. */
  | {
      kind: 'replay'
      lastSequence: number
      requestedAt: number
      /** False when the replay goes to another URL; events given up there are not listed as failed. */
      usesMeetingUrl: boolean
    }

/** A lane with its stored progress at the time when a node claimed it. */
export type LaneRecord = LaneProgress &
  LaneEventRange & {
    id: string
    /** Fencing token: grows with every claim, and a write with an older fence is refused. */
    fence: number
    meetingId: string
    url: string
    tokenId: string
    /** The event types that the receiver wants; null means all types. */
    events: readonly string[] | null
    /** When the meeting ended; null while it is running. */
    meetingEndedAt: number | null
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

/** What a lane stores after each attempt, and when it has sent everything. */
export type LaneChange = {
  lane: LaneRecord
  next: LaneProgress
  deadLetters: DeadLetter[]
  attempt: DeliveryAttemptRow | null
}

export interface LaneStore {
  /** The stored events after a sequence, in order, at most `limit`, and when the meeting ended. */
  readEvents(
    lane: LaneRecord,
    after: number,
    limit: number,
  ): Promise<{ events: LaneEvent[]; endedAt: number | null }>
  /**
   * False when another node has claimed the lane: then nothing was written. A change without a due time also
   * releases the lane.
   */
  writeChange(change: LaneChange): Promise<boolean>
  /** The secrets of a token that sign callbacks; null when the token was removed, so no callback can be signed. */
  secretsOf(tokenId: string): Promise<CallbackSecrets | null>
}
