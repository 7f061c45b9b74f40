import { createWakeableSleep } from '../../lib/async/wake-up.ts'
import type { Timers } from '../../lib/time/clock.ts'
import type { AttemptLimiter, LaneAttemptLimiter } from '../attempt-limiter.ts'
import type { PermitResult } from '../circuit-breaker.ts'
import type { PostRequest, PostResult, CallbackTransport } from '../transport.ts'
import type { MessagePoster } from '../notifications/message-poster.ts'
import { createSignedEventPoster } from '../signature.ts'
import { createBacklog, type Backlog } from './backlog.ts'
import {
  advancePast,
  HELD_BACK_LAST_ERROR,
  type DeliveryAttemptRow,
  type LaneEvent,
  type LaneProgress,
  type LaneRecord,
  type LaneStore,
  computeLaneTransition,
  type LaneTransition,
} from './lane-record.ts'
import { createPartialCaptionSender, type LaneEventPoster } from './partial-captions.ts'
import {
  classifyResponseStatus,
  LANE_RULES,
  type AttemptOutcome,
  type LaneRules,
} from './retry-policy.ts'

export type LaneDependencies = {
  store: LaneStore
  transport: CallbackTransport
  /** Sends the messages of lanes to chats. */
  messages: Pick<MessagePoster, 'post'>
  limiter: AttemptLimiter
  timers: Timers
  /** Wall clock, milliseconds. */
  now(): number
  random(): number
  newDeliveryId(at: number): string
  /** True for the last event of its meeting. */
  isLastEvent(event: LaneEvent): boolean
  /** An undeliverable event older than this is given up. */
  giveUpMs: number
  rules?: LaneRules
  onAttemptSettled?(outcome: AttemptOutcome, event: LaneEvent, at: number): void
  /** Called if a partial caption could not be sent for a reason other than the receiver's response. */
  onPartialDropped?(error: unknown): void
}

/** Why a lane ended on this node. */
export type LaneEndReason =
  /** Everything is sent and no further event will come. */
  | 'drained'
  /** The receiver wants no more events: it answered 410 or, for messages, 404. */
  | 'closed'
  /** The token was removed, so callbacks can no longer be signed. */
  | 'unsigned'
  /** The meeting is over and the next attempt is far away. Any node may claim the lane when it is due. */
  | 'released'
  /** Another node has claimed the lane, so this node's fence is too old to write. */
  | 'fenced'
  /** This node called stop(). */
  | 'stopped'
  /** An unexpected error ended the lane. */
  | 'failed'

/** True if this node need not release an ended lane: the last write released it, or another node owns it. */
export function isLaneAlreadyReleased(end: LaneEndReason): boolean {
  return end !== 'released' && end !== 'stopped' && end !== 'failed'
}

/** After the meeting, a lane is released if its next attempt is further away than this. */
const RELEASE_IF_IDLE_LONGER_MS = 30_000
/** An idle lane reads the store this often, in case a notification about new events was lost. */
const REREAD_INTERVAL_MS = 30_000

/** Sends the events of one meeting to one URL, in order, one request at a time. */
export function openLane(record: LaneRecord, parts: LaneDependencies) {
  const { store, timers, now, rules = LANE_RULES } = parts
  const { wake, sleep } = createWakeableSleep(timers)
  const stopper = createStopper(timers)
  const backlog = createBacklog(record, store, parts.isLastEvent)
  const limiter = parts.limiter.forReceiver(record, () => attempts.retryNow())
  const attempts = createHeadAttempts({ ...parts, record, rules, limiter, backlog, stopper, wake })
  const partials = createPartialCaptionSender({
    record,
    timers,
    now,
    rules,
    limiter,
    post: attempts.post,
    backlog,
    wake,
    onDropped: (error) => parts.onPartialDropped?.(error),
  })

  async function sendOrWait(head: LaneEvent): Promise<LaneEndReason | null> {
    const waitMs = attempts.waitMs()
    if (waitMs <= 0) return attempts.attempt(head)
    const isMeetingOver = backlog.meetingEndedAt() !== null
    if (waitMs > RELEASE_IF_IDLE_LONGER_MS && isMeetingOver) return 'released'
    await sleep(waitMs)
    return null
  }
  async function waitForEvents(): Promise<void> {
    const waitMs = await partials.sendNext(attempts.isHeadFailing())
    const wasWoken = await sleep(Math.min(waitMs, REREAD_INTERVAL_MS))
    if (!wasWoken && waitMs > REREAD_INTERVAL_MS) backlog.invalidate()
  }
  /** Returns how the lane ends, or null to continue. */
  async function step(): Promise<LaneEndReason | null> {
    const head = backlog.peek() ?? (await backlog.readHead())
    if (stopper.mode() !== 'running') return 'stopped'
    if (head !== null) return sendOrWait(head)
    if (backlog.isComplete()) return attempts.finish({ deliveredThrough: backlog.readThrough() })
    await waitForEvents()
    return null
  }
  async function run(): Promise<LaneEndReason> {
    using _ = limiter
    while (stopper.mode() === 'running') {
      const end = await step()
      if (end !== null) return end
    }
    return 'stopped'
  }

  return {
    record,
    /** Adds events that were just stored. */
    push(events: readonly LaneEvent[]): void {
      backlog.push(events)
      partials.yieldToEvent()
      wake()
    },
    /** Makes the lane read the store again, because another node has stored events. */
    invalidate(): void {
      backlog.invalidate()
      wake()
    },
    showPartial: partials.show,
    clearPartials: partials.clear,
    /** Where partial captions get their sequences. Null if no bot on this node attends the meeting. */
    setSequenceSource: partials.setSequenceSource,
    /** Starts no further attempt. An attempt in flight may finish within `graceMs`. */
    stop(graceMs: number): void {
      stopper.stop(graceMs)
      partials.yieldToEvent()
      wake()
    },
    ended: run().finally(stopper.dispose),
  }
}

export type Lane = ReturnType<typeof openLane>

type LaneMode =
  /** The lane sends events. */
  | 'running'
  /** No new attempt starts. The attempt in flight may finish within the grace period. */
  | 'stopping'
  /** The grace period is over and the attempt in flight is cancelled, or the lane has ended. */
  | 'aborted'

function createStopper(timers: Timers) {
  const [stopping, aborting] = [new AbortController(), new AbortController()]
  let mode: LaneMode = 'running'
  let cancelTimer = () => {}
  const abort = () => {
    mode = 'aborted'
    aborting.abort()
  }
  return {
    mode: () => mode,
    /** Aborts when the mode of the lane is no longer `running`. */
    stopping: stopping.signal,
    /** Aborts when the mode of the lane becomes `aborted`. */
    aborting: aborting.signal,
    /** Stops the lane if it still runs. A second call never extends the grace period. 0 aborts immediately. */
    stop(graceMs: number): void {
      const wasRunning = mode === 'running'
      if (wasRunning) mode = 'stopping'
      stopping.abort()
      if (graceMs <= 0) {
        cancelTimer()
        abort()
      } else if (wasRunning) cancelTimer = timers.after(graceMs, abort)
    },
    dispose(): void {
      cancelTimer()
      // A later call of `stop` sets no timer.
      mode = 'aborted'
    },
  }
}

type Stopper = ReturnType<typeof createStopper>

/** The status of the head event of a lane after the last attempt to deliver it. */
type HeadStatus =
  /** No attempt has failed yet. The lane uses the slots and sockets of healthy lanes. */
  | 'untried'
  /** The receiver failed. The lane retries as soon as the URL works again. */
  | 'failing'
  /** The receiver rejected this event. The lane waits its full back-off even if the URL works. */
  | 'rejected'

type AttemptParts = Omit<LaneDependencies, 'limiter' | 'rules'> & {
  record: LaneRecord
  rules: LaneRules
  limiter: LaneAttemptLimiter
  backlog: Backlog
  stopper: Stopper
  wake(): void
}

/** Sends the head event of a lane and stores the progress of the lane after each attempt. */
function createHeadAttempts(parts: AttemptParts) {
  const { record, rules, limiter, backlog, store, timers, now } = parts
  const { stopping, aborting } = parts.stopper
  const stored = createStoredProgress(record, store)
  const post = createHeadPoster(parts, () => stored.progress().previousSequence)
  let status = initialHeadStatus(record)
  let connection: PostRequest['connection'] = 'any'
  /** Monotonic. The stored wall-clock due time only seeds it. */
  let attemptAt = timers.now() + Math.max(0, (record.dueAt ?? 0) - now())

  const isHeadFailing = () => status !== 'untried'
  const { kind } = record
  const transitionFor = (head: LaneEvent, result: PostResult, at: number) =>
    computeLaneTransition({
      kind,
      progress: stored.progress(),
      head,
      queuedAfterHead: backlog.queuedAfterHead,
      result,
      now: at,
      random: parts.random(),
      meetingEndedAt: backlog.meetingEndedAt(),
      rules,
      giveUpMs: parts.giveUpMs,
      replayRequestedAt: record.kind === 'replay' ? record.requestedAt : null,
    })

  async function attempt(head: LaneEvent): Promise<LaneEndReason | null> {
    const isFailing = isHeadFailing()
    let isFenced = false
    const onHeldBack = async () => {
      isFenced = !(await stored.noteHeldBack(now()))
      return !isFenced
    }
    const permit = await limiter.acquire({ isFailing, headAt: head.at, onHeldBack }, stopping)
    if (permit === null) return isFenced ? 'fenced' : 'stopped'
    const startedAt = now()
    const deliveryId = parts.newDeliveryId(startedAt)
    // The status decides the outcome, so the slot need not wait for the rest of the response.
    const onStatus = (received: number) =>
      permit.release(toPermitResult(classifyResponseStatus(received, kind)))
    try {
      const { sequence, type } = head
      const result = await post(
        { sequence, type, body: Buffer.from(head.body) },
        {
          timeoutMs: rules.timeoutMs,
          isFailing,
          connection,
          deliveryId,
          signal: aborting,
          onStatus,
        },
      )
      if (result === null) return kind === 'notification' ? await skip(head) : await closeUnsigned()
      const [answeredAt, monotonicAt] = [now(), timers.now()]
      const transition = transitionFor(head, result, answeredAt)
      const { outcome } = transition
      permit.release(result.wasStaleConnection ? 'unused' : toPermitResult(outcome))
      const row = { id: deliveryId, sequence, type, startedAt, result, outcome }
      if (!(await stored.write(transition, row))) return 'fenced'
      const progress = stored.progress()
      backlog.removeThrough(progress.deliveredThrough)
      // Only a fresh connection is certain not to be stale, so a head is sent again at most once for this reason.
      connection = result.wasStaleConnection ? 'fresh' : 'any'
      if (!result.wasStaleConnection) status = headStatusAfter(outcome, progress)
      attemptAt = monotonicAt + Math.max(0, (progress.dueAt ?? 0) - answeredAt)
      parts.onAttemptSettled?.(outcome, head, answeredAt)
      return progress.state === 'closed' ? 'closed' : null
    } catch (error) {
      if (aborting.aborted) return 'stopped'
      throw error
    } finally {
      permit.release('unused')
    }
  }
  /** The message must no longer be sent. */
  async function skip({ sequence }: LaneEvent): Promise<LaneEndReason | null> {
    const next = advancePast(stored.progress(), sequence, now())
    if (!(await stored.write({ next, deadLetters: [] }, null))) return 'fenced'
    backlog.removeThrough(sequence)
    status = 'untried'
    return null
  }
  async function closeUnsigned(): Promise<LaneEndReason> {
    const end = await finish({ state: 'closed', lastError: 'token_removed' })
    return end === 'closed' ? 'unsigned' : end
  }
  async function finish(change: Partial<LaneProgress>): Promise<LaneEndReason> {
    const next = { ...stored.progress(), ...change, dueAt: null }
    if (!(await stored.write({ next, deadLetters: [] }, null))) return 'fenced'
    return next.state === 'closed' ? 'closed' : 'drained'
  }

  return {
    post,
    /** True if an attempt at the head event failed or was rejected. */
    isHeadFailing,
    /** Milliseconds until the next attempt may start. Zero or less if it may start now. */
    waitMs: () => attemptAt - timers.now(),
    /** Returns how the lane ends, or null if it continues. */
    attempt,
    /** The URL works again, so a failing head need not wait for its back-off. */
    retryNow(): void {
      if (status !== 'failing') return
      attemptAt = timers.now()
      parts.wake()
    },
    /** Stores that nothing is left to send. This also releases the lane. */
    finish,
  }
}

/** Sends events to the callback URL, and messages to the chat. */
function createHeadPoster(
  { record, store, transport, messages, now }: AttemptParts,
  previousSequence: () => number,
): LaneEventPoster {
  if (record.kind === 'notification') {
    const { notificationId } = record
    return ({ sequence }, options) => messages.post(notificationId, sequence, options)
  }
  const { meetingId } = record
  const secretsOf = (tokenId: string) => store.secretsOf(tokenId)
  const post = createSignedEventPoster({ transport, secretsOf, now })
  return (event, options) =>
    post(record, { meetingId, previousSequence: previousSequence(), ...event }, options)
}

function createStoredProgress(record: LaneRecord, store: LaneStore) {
  let progress: LaneProgress = { ...record }
  /** Returns false if another node has claimed the lane. */
  const write = async (
    { next, deadLetters }: Omit<LaneTransition, 'outcome'>,
    attempt: DeliveryAttemptRow | null,
  ) => {
    const isWritten = await store.writeChange({ lane: record, next, deadLetters, attempt })
    if (isWritten) progress = next
    return isWritten
  }
  return {
    progress: () => progress,
    write,
    /** Stores once that the lane waits for other failing lanes, so that people see the reason. */
    async noteHeldBack(now: number): Promise<boolean> {
      if (progress.lastError === HELD_BACK_LAST_ERROR) return true
      const next = { ...progress, lastError: HELD_BACK_LAST_ERROR, dueAt: progress.dueAt ?? now }
      return write({ next, deadLetters: [] }, null)
    },
  }
}

/** What an attempt's outcome says about the receiver. */
function toPermitResult(outcome: AttemptOutcome): PermitResult {
  return outcome === 'failed' ? 'failure' : 'success'
}

function initialHeadStatus({ failures, rejections }: LaneProgress): HeadStatus {
  if (failures === 0) return 'untried'
  return rejections === 0 ? 'failing' : 'rejected'
}

function headStatusAfter(outcome: AttemptOutcome, { failures }: LaneProgress): HeadStatus {
  if (failures === 0) return 'untried'
  return outcome === 'failed' ? 'failing' : 'rejected'
}
