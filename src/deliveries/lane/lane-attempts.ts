import type { Backlog } from './backlog.ts'
import type { ReceiverLimiter } from '../limits/attempt-limiter.ts'
import type { AttemptResult } from '../limits/circuit-breaker.ts'
import type { LaneRules } from './retry-policy.ts'
import type { AttemptRow, LaneEnd, LaneParts, LaneRecord } from './lane.ts'
import {
  transitionAfter,
  type LaneProgress,
  type LaneTransition,
  type LaneEvent,
} from './lane-transition.ts'
import type { GracefulStop } from './graceful-stop.ts'
import { createSignedPost, type SignedPost } from '../signed-post.ts'
import type { PostResult } from '../network/transport.ts'

/** The attempts of one lane, each stored with where the lane stands after it. */
export interface LaneAttempts {
  postSigned: SignedPost
  progress(): LaneProgress
  /** How long until the next may be made. */
  waitMs(): number
  /** Answers how the lane ends by it, if it does. */
  attempt(head: LaneEvent): Promise<LaneEnd | null>
  /** The URL works again: whoever failed there need not wait. */
  retryNow(): void
  /** Nothing is left to do: stored once, so that nobody looks again. */
  finish(change: Partial<LaneProgress>): Promise<LaneEnd>
}

type Parts = {
  record: LaneRecord
  parts: LaneParts
  rules: LaneRules
  entrance: ReceiverLimiter
  backlog: Backlog
  laneStop: GracefulStop
  wake(): void
}

export function createLaneAttempts(attemptParts: Parts): LaneAttempts {
  const { record, parts, rules, entrance, backlog, laneStop, wake } = attemptParts
  const { store, transport, timers, now, giveUpMs } = parts
  const { stopping, aborting } = laneStop
  const previousSequence = () => state.previousSequence
  const send = createSignedPost({ record, store, transport, now, previousSequence })
  let state: LaneProgress = { ...record }
  /** By the clock that nobody sets; the wall clock decides only where a lane begins. */
  let attemptAt = timers.now() + Math.max(0, (record.dueAt ?? 0) - now())
  let hasFailed = record.failures > 0 && record.rejections === 0

  async function keep(
    { next, deadLetters }: Omit<LaneTransition, 'outcome'>,
    attempt: AttemptRow | null,
  ) {
    const kept = await store.writeChange({ lane: record, next, deadLetters, attempt })
    if (kept) state = next
    return kept
  }
  function judgeAnswer(head: LaneEvent, result: PostResult, at: number): LaneTransition {
    const { queuedAfterHead } = backlog
    const { replayRequestedAt } = record
    const [meetingEndedAt, random] = [backlog.meetingEndedAt(), parts.random()]
    return transitionAfter({
      progress: state,
      head,
      queuedAfterHead,
      result,
      now: at,
      random,
      meetingEndedAt,
      rules,
      giveUpMs,
      replayRequestedAt,
    })
  }
  async function make(head: LaneEvent): Promise<LaneEnd | null> {
    const isFailing = state.failures > 0
    const pass = await entrance.acquire({ isFailing, headAt: head.at }, stopping)
    if (pass === null) return 'stopped'
    const startedAt = now()
    const deliveryId = parts.newDeliveryId(startedAt)
    let outcome: AttemptResult = 'unused'
    try {
      const { sequence, type } = head
      const { timeoutMs } = rules
      const event = { sequence, type, body: Buffer.from(head.body) }
      const result = await send(event, { timeoutMs, isFailing, deliveryId, signal: aborting })
      if (result === null) return await endUnsigned()
      const [answeredAt, heardAt] = [now(), timers.now()]
      const step = judgeAnswer(head, result, answeredAt)
      outcome = step.outcome === 'failed' ? 'failure' : 'success'
      pass.release(outcome)
      const row = { id: deliveryId, sequence, type, startedAt, result, outcome: step.outcome }
      if (!(await keep(step, row))) return 'lost'
      backlog.removeThrough(state.deliveredThrough)
      hasFailed = step.outcome === 'failed'
      attemptAt = heardAt + Math.max(0, (state.dueAt ?? 0) - answeredAt)
      parts.onAttemptSettled?.(step.outcome, head, answeredAt)
      return state.state === 'closed' ? 'closed' : null
    } catch (error) {
      if (aborting.aborted) return 'stopped'
      throw error
    } finally {
      if (outcome === 'unused') pass.release('unused')
    }
  }
  async function endUnsigned(): Promise<LaneEnd> {
    const end = await finish({ state: 'closed', lastError: 'token_removed' })
    return end === 'closed' ? 'unsigned' : end
  }
  async function finish(change: Partial<LaneProgress>): Promise<LaneEnd> {
    const next = { ...state, ...change, dueAt: null }
    if (!(await keep({ next, deadLetters: [] }, null))) return 'lost'
    return next.state === 'closed' ? 'closed' : 'drained'
  }

  return {
    postSigned: send,
    progress: () => state,
    waitMs: () => attemptAt - timers.now(),
    attempt: make,
    retryNow() {
      // An event that was refused keeps its pause: that the URL works was known.
      if (!hasFailed) return
      attemptAt = timers.now()
      wake()
    },
    finish,
  }
}
