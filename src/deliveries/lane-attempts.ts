import type { Backlog } from './backlog.ts'
import type { Entrance } from './gate.ts'
import type { LaneRules } from './judge.ts'
import type { AttemptRow, LaneEnd, LaneParts, LaneRecord } from './lane.ts'
import { stepAfter, type LaneState, type Step, type StoredEvent } from './lane-state.ts'
import type { LaneStop } from './lane-stop.ts'
import { createSender, type Send } from './sender.ts'
import type { Posted } from './transport.ts'

/** The attempts of one lane, each stored with where the lane stands after it. */
export interface Attempts {
  send: Send
  state(): LaneState
  /** How long until the next may be made. */
  waitMs(): number
  /** Answers how the lane ends by it, if it does. */
  make(head: StoredEvent): Promise<LaneEnd | null>
  /** The URL works again: whoever failed there need not wait. */
  hasten(): void
  /** Nothing is left to do: stored once, so that nobody looks again. */
  finish(change: Partial<LaneState>): Promise<LaneEnd>
}

type Parts = {
  record: LaneRecord
  parts: LaneParts
  rules: LaneRules
  entrance: Entrance
  backlog: Backlog
  laneStop: LaneStop
  wake(): void
}

export function createAttempts(attemptParts: Parts): Attempts {
  const { record, parts, rules, entrance, backlog, laneStop, wake } = attemptParts
  const { store, transport, timers, now, giveUpMs } = parts
  const { stopping, cutting } = laneStop
  const previousSequence = () => state.previousSequence
  const send = createSender({ record, store, transport, now, previousSequence })
  let state: LaneState = { ...record }
  /** By the clock that nobody sets; the wall clock decides only where a lane begins. */
  let attemptAt = timers.now() + Math.max(0, (record.dueAt ?? 0) - now())
  let hasFailed = record.failures > 0 && record.rejections === 0

  async function keep({ next, dead }: Omit<Step, 'outcome'>, attempt: AttemptRow | null) {
    const kept = await store.record({ lane: record, next, dead, attempt })
    if (kept) state = next
    return kept
  }
  function judgeAnswer(head: StoredEvent, posted: Posted, at: number): Step {
    const { behind } = backlog
    const { replayedAt } = record
    const [endedAt, random] = [backlog.endedAt(), parts.random()]
    return stepAfter({
      state,
      head,
      behind,
      posted,
      now: at,
      random,
      endedAt,
      rules,
      giveUpMs,
      replayedAt,
    })
  }
  async function make(head: StoredEvent): Promise<LaneEnd | null> {
    const isTroubled = state.failures > 0
    const pass = await entrance.enter({ isTroubled, headAt: head.at }, stopping)
    if (pass === null) return 'stopped'
    const startedAt = now()
    const deliveryId = parts.newDeliveryId(startedAt)
    let outcome: 'worked' | 'fault' | 'unused' = 'unused'
    try {
      const { sequence, type } = head
      const { timeoutMs } = rules
      const event = { sequence, type, body: Buffer.from(head.body) }
      const posted = await send(event, { timeoutMs, isTroubled, deliveryId, signal: cutting })
      if (posted === null) return await endUnsigned()
      const [answeredAt, heardAt] = [now(), timers.now()]
      const step = judgeAnswer(head, posted, answeredAt)
      outcome = step.outcome === 'failed' ? 'fault' : 'worked'
      pass.leave(outcome)
      const row = { id: deliveryId, sequence, type, startedAt, posted, outcome: step.outcome }
      if (!(await keep(step, row))) return 'lost'
      backlog.settle(state.deliveredThrough)
      hasFailed = step.outcome === 'failed'
      attemptAt = heardAt + Math.max(0, (state.dueAt ?? 0) - answeredAt)
      parts.onSettled?.(step.outcome, head, answeredAt)
      return state.state === 'closed' ? 'closed' : null
    } catch (error) {
      if (cutting.aborted) return 'stopped'
      throw error
    } finally {
      if (outcome === 'unused') pass.leave('unused')
    }
  }
  async function endUnsigned(): Promise<LaneEnd> {
    const end = await finish({ state: 'closed', lastError: 'token_removed' })
    return end === 'closed' ? 'unsigned' : end
  }
  async function finish(change: Partial<LaneState>): Promise<LaneEnd> {
    const next = { ...state, ...change, dueAt: null }
    if (!(await keep({ next, dead: [] }, null))) return 'lost'
    return next.state === 'closed' ? 'closed' : 'drained'
  }

  return {
    send,
    state: () => state,
    waitMs: () => attemptAt - timers.now(),
    make,
    hasten() {
      // An event that was refused keeps its pause: that the URL works was known.
      if (!hasFailed) return
      attemptAt = timers.now()
      wake()
    },
    finish,
  }
}
