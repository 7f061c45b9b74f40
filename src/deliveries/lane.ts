import type { Timers } from '../lib/timers.ts'
import { createWakeUp } from '../lib/wake-up.ts'
import { createBacklog } from './backlog.ts'
import type { Gate } from './gate.ts'
import { LANE_RULES, type LaneRules } from './judge.ts'
import { createAttempts } from './lane-attempts.ts'
import type { LaneKind, LaneState, StoredEvent, Step } from './lane-state.ts'
import { createLaneStop } from './lane-stop.ts'
import { createPartials, type Numbers, type Partial as PartialCaption } from './partials.ts'
import type { SigningSecrets } from './signature.ts'
import type { Posted, Transport } from './transport.ts'

export type LaneRecord = LaneState & {
  id: string
  fence: number
  meetingId: string
  kind: LaneKind
  url: string
  tokenId: string
  /** Types to be sent; null: all. */
  events: readonly string[] | null
  /** Last sequence of a replay; null follows the meeting. */
  endsAt: number | null
  /** When the meeting ended; null while it goes on. */
  endedAt: number | null
  /** When a replay was asked for; null: it is the lane of the meeting itself. */
  replayedAt: number | null
  /** Whether it leads to the URL of the meeting. A replay may lead elsewhere: what is given up there is not owed here. */
  isToOwnUrl: boolean
}

export type AttemptRow = {
  id: string
  sequence: number
  type: string
  startedAt: number
  posted: Posted
  outcome: Step['outcome']
}

/** What a lane writes after each attempt, and at its end. */
export type LaneChange = {
  lane: LaneRecord
  next: LaneState
  dead: Step['dead']
  attempt: AttemptRow | null
}

export interface LaneStore {
  /** Stored events after a sequence, in order, at most `limit`; and when the meeting ended. */
  read(
    lane: LaneRecord,
    after: number,
    limit: number,
  ): Promise<{ events: StoredEvent[]; endedAt: number | null }>
  /** False: somebody else has the lane, and nothing was written. With nothing left to do it is given back. */
  record(change: LaneChange): Promise<boolean>
  /** Null: the token is gone, nothing can be signed. */
  secretsOf(tokenId: string): Promise<SigningSecrets | null>
}

export type LaneParts = {
  store: LaneStore
  transport: Transport
  gate: Gate
  timers: Timers
  /** Wall clock, milliseconds. */
  now(): number
  random(): number
  newDeliveryId(at: number): string
  /** Whether no event comes after this one. */
  isLast(event: StoredEvent): boolean
  giveUpMs: number
  rules?: LaneRules
  onSettled?(outcome: Step['outcome'], event: StoredEvent, at: number): void
  /** A partial could not be sent, and was not the receiver's to answer. */
  onDropped?(error: unknown): void
}

/**
 * `drained`: all is sent and no more will come. `closed`: the receiver wants no more. `unsigned`: the token is gone,
 * and nothing can be signed. `parked`: nothing to do for a while. `lost`: another has it.
 */
export type LaneEnd = 'drained' | 'closed' | 'unsigned' | 'parked' | 'lost' | 'stopped'

/** Who has nothing left to do gives the lane back with the last thing it writes. */
export function isGivenBack(end: LaneEnd | 'failed'): boolean {
  return end !== 'parked' && end !== 'stopped' && end !== 'failed'
}

/** Sends the events of one meeting to one URL, in order, one at a time. */
export interface Lane {
  readonly record: LaneRecord
  /** Events that have just been stored. */
  tell(events: readonly StoredEvent[]): void
  /** Something was stored, by somebody who does not tell what. */
  look(): void
  show(partial: PartialCaption): void
  clear(captionIds: readonly string[]): void
  /** Where partials get their numbers while a bot attends; null: there are none. */
  number(numbers: Numbers | null): void
  /** Ends the lane; an attempt under way gets the grace to finish. */
  stop(graceMs: number): void
  readonly ended: Promise<LaneEnd>
}

/** A lane of a meeting that is over is given back when its next attempt is further away than this. */
const PARK_MS = 30_000
/** Nothing that was stored may be missed for longer, whoever forgot to tell. */
const LOOK_AGAIN_MS = 30_000

export function openLane(record: LaneRecord, parts: LaneParts): Lane {
  const { store, timers, now, rules = LANE_RULES } = parts
  const { wake, sleep } = createWakeUp(timers)
  const laneStop = createLaneStop(timers)
  const { stopping } = laneStop
  const backlog = createBacklog(record, store, parts.isLast)
  const entrance = parts.gate.open(record, () => attempts.hasten())
  const attempts = createAttempts({ record, parts, rules, entrance, backlog, laneStop, wake })
  const { send, state } = attempts
  const onDropped = (error: unknown) => parts.onDropped?.(error)
  const partials = createPartials({
    record,
    timers,
    now,
    rules,
    entrance,
    send,
    backlog,
    wake,
    onDropped,
  })

  async function turn(): Promise<LaneEnd | null> {
    const head = backlog.first() ?? (await backlog.head())
    if (stopping.aborted) return 'stopped'
    if (head === null && backlog.isComplete()) {
      return attempts.finish({ deliveredThrough: backlog.readThrough() })
    }
    if (head === null) {
      const waitMs = await partials.offer(state())
      const wasWoken = await sleep(Math.min(waitMs, LOOK_AGAIN_MS))
      if (!wasWoken && waitMs > LOOK_AGAIN_MS) backlog.doubt()
      return null
    }
    const waitMs = attempts.waitMs()
    if (waitMs <= 0) return attempts.make(head)
    if (waitMs > PARK_MS && backlog.endedAt() !== null) return 'parked'
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
    tell(events) {
      backlog.tell(events)
      partials.giveWay()
      wake()
    },
    look() {
      backlog.doubt()
      wake()
    },
    show: partials.show,
    clear: partials.clear,
    number: partials.number,
    stop(graceMs) {
      laneStop.begin(graceMs)
      partials.giveWay()
      wake()
    },
    ended: run().finally(laneStop.end),
  }
}
