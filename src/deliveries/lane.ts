import type { Timers } from '../lib/timers.ts'
import { createWakeUp } from '../lib/wake-up.ts'
import { createBacklog } from './backlog.ts'
import type { Gate } from './gate.ts'
import { LANE_RULES, type LaneRules } from './judge.ts'
import {
  stepAfter,
  type LaneKind,
  type LaneState,
  type StoredEvent,
  type Step,
} from './lane-state.ts'
import { createPartials, type Numbers, type Partial } from './partials.ts'
import { callbackHeaders, type SigningSecrets } from './signature.ts'
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
}

export type AttemptRow = {
  id: string
  sequence: number
  type: string
  startedAt: number
  posted: Posted
}

/** What a lane writes after each attempt, and at its end. */
export type LaneChange = {
  lane: LaneRecord
  next: LaneState
  dead: Step['dead']
  attempt: (AttemptRow & { outcome: Step['outcome'] }) | null
}

export interface LaneStore {
  /** Stored events after a sequence, in order, at most `limit`; and when the meeting ended. */
  read(
    lane: LaneRecord,
    after: number,
    limit: number,
  ): Promise<{ events: StoredEvent[]; endedAt: number | null }>
  /** False: somebody else has the lane, and nothing was written. */
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
  newDeliveryId(): string
  /** Whether no event comes after this one. */
  isLast(event: StoredEvent): boolean
  giveUpMs: number
  rules?: LaneRules
  onSettled?(outcome: Step['outcome'], event: StoredEvent): void
}

/** `drained`: all is sent and no more will come. `parked`: nothing to do for a while. `lost`: another has it. */
export type LaneEnd = 'drained' | 'closed' | 'parked' | 'lost' | 'stopped'

/** Sends the events of one meeting to one URL, in order, one at a time. */
export interface Lane {
  readonly record: LaneRecord
  /** Events that have just been stored. */
  tell(events: readonly StoredEvent[]): void
  show(partial: Partial): void
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
  const { store, transport, gate, timers, now, rules = LANE_RULES } = parts
  const wakeUp = createWakeUp(timers)
  const stopping = new AbortController()
  const cutting = new AbortController()
  const backlog = createBacklog(record, store, parts.isLast)
  const { wake } = wakeUp
  const partials = createPartials({ record, timers, now, rules, gate, send, backlog, wake })
  let state: LaneState = { ...record }
  /** By the clock that nobody sets; the wall clock decides only where a lane begins. */
  let attemptAt = timers.now() + Math.max(0, (record.dueAt ?? 0) - now())

  let hasFailed = record.failures > 0 && record.rejections === 0
  let callOffCut = () => {}

  /** An event that was refused keeps its pause: that the URL works is known. */
  function retryNow(): void {
    if (!hasFailed) return
    attemptAt = timers.now()
    wakeUp.wake()
  }

  async function send(
    event: { sequence: number; type: string; body: Buffer },
    timeoutMs: number,
    isTroubled: boolean,
    deliveryId: string,
    signal: AbortSignal,
  ): Promise<Posted | null> {
    const secrets = await store.secretsOf(record.tokenId)
    if (secrets === null) return null
    const { meetingId, url } = record
    const { previousSequence } = state
    const addressed = { ...event, meetingId, previousSequence }
    const headers = callbackHeaders(addressed, secrets, deliveryId, new Date(now()))
    const pool = isTroubled ? 'troubled' : 'healthy'
    return transport.post({ url, headers, body: event.body, timeoutMs, pool }, signal)
  }

  async function keep(step: Step, attempt: AttemptRow | null): Promise<boolean> {
    const kept = await store.record({
      lane: record,
      next: step.next,
      dead: step.dead,
      attempt: attempt && { ...attempt, outcome: step.outcome },
    })
    if (kept) state = step.next
    return kept
  }

  async function attempt(head: StoredEvent): Promise<LaneEnd | null> {
    const isTroubled = state.failures > 0
    const asking = { url: record.url, token: record.tokenId, isTroubled, headAt: head.at }
    const pass = await gate.enter(asking, stopping.signal)
    if (pass === null) return 'stopped'
    const id = parts.newDeliveryId()
    const startedAt = now()
    let outcome: 'worked' | 'fault' | 'unused' = 'unused'
    try {
      const body = Buffer.from(head.body)
      const event = { sequence: head.sequence, type: head.type, body }
      const posted = await send(event, rules.timeoutMs, isTroubled, id, cutting.signal)
      if (posted === null) return await closeUnsigned()
      const [settledAt, answeredAt] = [now(), timers.now()]
      const step = stepAfter({
        state,
        head,
        behind: backlog.behind(),
        posted,
        now: settledAt,
        random: parts.random(),
        endedAt: backlog.endedAt(),
        rules,
        giveUpMs: parts.giveUpMs,
      })
      outcome = step.outcome === 'failed' ? 'fault' : 'worked'
      pass.leave(outcome)
      const row = { id, sequence: head.sequence, type: head.type, startedAt, posted }
      if (!(await keep(step, row))) return 'lost'
      backlog.settle(state.deliveredThrough)
      hasFailed = step.outcome === 'failed'
      attemptAt = answeredAt + Math.max(0, (state.dueAt ?? 0) - settledAt)
      parts.onSettled?.(step.outcome, head)
      return state.state === 'closed' ? 'closed' : null
    } catch (error) {
      if (cutting.signal.aborted) return 'stopped'
      throw error
    } finally {
      if (outcome === 'unused') pass.leave('unused')
    }
  }

  async function closeUnsigned(): Promise<LaneEnd> {
    const next: LaneState = { ...state, state: 'closed', dueAt: null, lastError: 'token_removed' }
    return (await keep({ next, outcome: 'gone', dead: [] }, null)) ? 'closed' : 'lost'
  }

  /** All is sent: stored once, so that nobody looks again. */
  async function drain(): Promise<LaneEnd> {
    const next = { ...state, deliveredThrough: backlog.readThrough(), dueAt: null }
    return (await keep({ next, outcome: 'delivered', dead: [] }, null)) ? 'drained' : 'lost'
  }

  async function turn(): Promise<LaneEnd | null> {
    const head = await backlog.head()
    if (head === null && backlog.isComplete()) return drain()
    if (head === null) {
      const waitMs = await partials.offer(state)
      const wasWoken = await wakeUp.sleep(Math.min(waitMs, LOOK_AGAIN_MS))
      if (!wasWoken && waitMs > LOOK_AGAIN_MS) backlog.doubt()
      return null
    }
    const waitMs = attemptAt - timers.now()
    if (waitMs <= 0) return attempt(head)
    if (waitMs > PARK_MS && backlog.endedAt() !== null) return 'parked'
    await wakeUp.sleep(waitMs)
    return null
  }

  async function run(): Promise<LaneEnd> {
    using _ = gate.onWorking(record.url, retryNow)
    while (!stopping.signal.aborted) {
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
      wakeUp.wake()
    },
    show: partials.show,
    clear: partials.clear,
    number: partials.number,
    stop(graceMs) {
      stopping.abort()
      partials.giveWay()
      wakeUp.wake()
      callOffCut()
      if (graceMs <= 0) cutting.abort()
      else callOffCut = timers.after(graceMs, () => cutting.abort())
    },
    ended: run().finally(() => callOffCut()),
  }
}
