import type { Timers } from '../../lib/time/timers.ts'
import { createWakeUp } from '../../lib/async/wake-up.ts'
import { createBacklog } from './backlog.ts'
import type { AttemptLimiter } from '../limits/attempt-limiter.ts'
import { LANE_RULES, type LaneRules } from './retry-policy.ts'
import { createLaneAttempts } from './lane-attempts.ts'
import type { LaneKind, LaneProgress, LaneEvent, LaneTransition } from './lane-transition.ts'
import { createGracefulStop } from './graceful-stop.ts'
import {
  createPartialSender,
  type SequenceSource,
  type PartialCaption,
} from './partial-captions.ts'
import type { CallbackSecrets } from '../signature.ts'
import type { PostResult, Transport } from '../network/transport.ts'

export type LaneRecord = LaneProgress & {
  id: string
  fence: number
  meetingId: string
  kind: LaneKind
  url: string
  tokenId: string
  /** Types to be sent; null: all. */
  events: readonly string[] | null
  /** Last sequence of a replay; null follows the meeting. */
  lastSequence: number | null
  /** When the meeting ended; null while it goes on. */
  meetingEndedAt: number | null
  /** When a replay was asked for; null: it is the lane of the meeting itself. */
  replayRequestedAt: number | null
  /** Whether it leads to the URL of the meeting. A replay may lead elsewhere: what is given up there is not owed here. */
  usesMeetingUrl: boolean
}

export type AttemptRow = {
  id: string
  sequence: number
  type: string
  startedAt: number
  result: PostResult
  outcome: LaneTransition['outcome']
}

/** What a lane writes after each attempt, and at its end. */
export type LaneChange = {
  lane: LaneRecord
  next: LaneProgress
  deadLetters: LaneTransition['deadLetters']
  attempt: AttemptRow | null
}

export interface LaneStore {
  /** Stored events after a sequence, in order, at most `limit`; and when the meeting ended. */
  readEvents(
    lane: LaneRecord,
    after: number,
    limit: number,
  ): Promise<{ events: LaneEvent[]; endedAt: number | null }>
  /** False: somebody else has the lane, and nothing was written. With nothing left to do it is given back. */
  writeChange(change: LaneChange): Promise<boolean>
  /** Null: the token is gone, nothing can be signed. */
  secretsOf(tokenId: string): Promise<CallbackSecrets | null>
}

export type LaneParts = {
  store: LaneStore
  transport: Transport
  limiter: AttemptLimiter
  timers: Timers
  /** Wall clock, milliseconds. */
  now(): number
  random(): number
  newDeliveryId(at: number): string
  /** Whether no event comes after this one. */
  isLastEvent(event: LaneEvent): boolean
  giveUpMs: number
  rules?: LaneRules
  onAttemptSettled?(outcome: LaneTransition['outcome'], event: LaneEvent, at: number): void
  /** A partial could not be sent, and was not the receiver's to answer. */
  onPartialDropped?(error: unknown): void
}

/**
 * `drained`: all is sent and no more will come. `closed`: the receiver wants no more. `unsigned`: the token is gone,
 * and nothing can be signed. `parked`: nothing to do for a while. `lost`: another has it.
 */
export type LaneEnd = 'drained' | 'closed' | 'unsigned' | 'parked' | 'lost' | 'stopped'

/** Who has nothing left to do gives the lane back with the last thing it writes. */
export function isAlreadyReleased(end: LaneEnd | 'failed'): boolean {
  return end !== 'parked' && end !== 'stopped' && end !== 'failed'
}

/** Sends the events of one meeting to one URL, in order, one at a time. */
export interface Lane {
  readonly record: LaneRecord
  /** Events that have just been stored. */
  push(events: readonly LaneEvent[]): void
  /** Something was stored, by somebody who does not tell what. */
  invalidate(): void
  showPartial(partial: PartialCaption): void
  clearPartials(captionIds: readonly string[]): void
  /** Where partials get their numbers while a bot attends; null: there are none. */
  setSequenceSource(numbers: SequenceSource | null): void
  /** Ends the lane; an attempt under way gets the grace to finish. */
  stop(graceMs: number): void
  readonly ended: Promise<LaneEnd>
}

/** A lane of a meeting that is over is given back when its next attempt is further away than this. */
const RELEASE_IF_IDLE_LONGER_MS = 30_000
/** Nothing that was stored may be missed for longer, whoever forgot to tell. */
const REREAD_INTERVAL_MS = 30_000

export function openLane(record: LaneRecord, parts: LaneParts): Lane {
  const { store, timers, now, rules = LANE_RULES } = parts
  const { wake, sleep } = createWakeUp(timers)
  const laneStop = createGracefulStop(timers)
  const { stopping } = laneStop
  const backlog = createBacklog(record, store, parts.isLastEvent)
  const entrance = parts.limiter.forReceiver(record, () => attempts.retryNow())
  const attempts = createLaneAttempts({ record, parts, rules, entrance, backlog, laneStop, wake })
  const { postSigned, progress } = attempts
  const onDropped = (error: unknown) => parts.onPartialDropped?.(error)
  const partials = createPartialSender({
    record,
    timers,
    now,
    rules,
    entrance,
    send: postSigned,
    backlog,
    wake,
    onDropped,
  })

  async function turn(): Promise<LaneEnd | null> {
    const head = backlog.peek() ?? (await backlog.readHead())
    if (stopping.aborted) return 'stopped'
    if (head === null && backlog.isComplete()) {
      return attempts.finish({ deliveredThrough: backlog.readThrough() })
    }
    if (head === null) {
      const waitMs = await partials.offer(progress())
      const wasWoken = await sleep(Math.min(waitMs, REREAD_INTERVAL_MS))
      if (!wasWoken && waitMs > REREAD_INTERVAL_MS) backlog.invalidate()
      return null
    }
    const waitMs = attempts.waitMs()
    if (waitMs <= 0) return attempts.attempt(head)
    if (waitMs > RELEASE_IF_IDLE_LONGER_MS && backlog.meetingEndedAt() !== null) return 'parked'
    await sleep(waitMs)
    return null
  }

  async function run(): Promise<LaneEnd> {
    using _ = entrance
    while (!stopping.aborted) {
      const end = await turn()
      if (end !== null) return end
    }
    return 'stopped'
  }

  return {
    record,
    push(events) {
      backlog.push(events)
      partials.giveWay()
      wake()
    },
    invalidate() {
      backlog.invalidate()
      wake()
    },
    showPartial: partials.show,
    clearPartials: partials.clear,
    setSequenceSource: partials.number,
    stop(graceMs) {
      laneStop.begin(graceMs)
      partials.giveWay()
      wake()
    },
    ended: run().finally(laneStop.dispose),
  }
}
