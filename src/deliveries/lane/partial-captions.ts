import type { Timers } from '../../lib/time/clock.ts'
import type { LaneAttemptLimiter } from '../attempt-limiter.ts'
import type { PostResult } from '../transport.ts'
import type { SignableEvent, SignedPostOptions } from '../signature.ts'
import type { Backlog } from './backlog.ts'
import type { LaneRecord } from './lane-record.ts'
import type { LaneRules } from './retry-policy.ts'

/** A caption whose text may still change. */
export type PartialCaption = {
  captionId: string
  /** Wall clock, milliseconds. */
  at: number
  body(sequence: number): string
  /** Given by the bot's node if it is not the lane's node. */
  sequence?: number
}

/** Gives out sequences for partial captions, which are sent as events but never stored. */
export interface PartialCaptionSequenceSource {
  /** The next reserved sequence. Null while an event is being stored, or if sequences must be reserved first. */
  nextPartialSequence(): number | null
  /** Rejects if this node no longer owns the meeting. */
  reservePartialSequences(): Promise<void>
}

/** Signs an event for the lane's receiver and posts it. Null if the token was removed. */
export type LaneEventPoster = (
  event: Pick<SignableEvent, 'sequence' | 'type' | 'body'>,
  options: SignedPostOptions,
) => Promise<PostResult | null>

/** Sends the partial captions of one lane while no stored event waits. Only the newest text of each caption is sent. */
export interface PartialCaptionSender {
  /** Sets the source of sequences. If null, no bot on this node attends the meeting, and partials are ignored. */
  setSequenceSource(source: PartialCaptionSequenceSource | null): void
  show(partial: PartialCaption): void
  clear(captionIds: readonly string[]): void
  /** Aborts a partial caption in flight after a short grace period, because a stored event waits. */
  yieldToEvent(): void
  /**
   * Sends one partial caption if one may be sent now. None is sent while the head event of the lane fails. Returns the
   * milliseconds until the next may be sent, Infinity if none waits.
   */
  sendNext(isHeadFailing: boolean): Promise<number>
}

export const PARTIAL_EVENT_TYPE = 'caption_partial'
const POST_OPTIONS = { isFailing: false, connection: 'any' } as const

type RequestMode =
  /** No partial caption is in flight. */
  | 'idle'
  /** One partial caption is in flight. */
  | 'sending'
  /** A stored event waits. The partial caption in flight is aborted when the grace period ends. */
  | 'yielding'

type Parts = {
  record: LaneRecord
  timers: Timers
  now(): number
  rules: LaneRules
  limiter: LaneAttemptLimiter
  post: LaneEventPoster
  backlog: Pick<Backlog, 'isCaughtUp' | 'noteUnstoredSequence' | 'readThrough'>
  wake(): void
  onDropped(error: unknown): void
}

export function createPartialCaptionSender(parts: Parts): PartialCaptionSender {
  const { record, timers, now, rules, limiter, backlog, wake, onDropped } = parts
  const isWanted =
    record.kind === 'meeting' && (record.events?.includes(PARTIAL_EVENT_TYPE) ?? true)
  /** The waiting partial captions by caption id, in the order in which they began to wait. */
  const newest = new Map<string, PartialCaption>()
  let source: PartialCaptionSequenceSource | null = null
  let isReserving = false
  let mode: RequestMode = 'idle'
  let request = new AbortController()
  let cancelGraceTimer = () => {}
  let nextAt = 0
  let timeouts = 0
  let sentCount = 0
  const notePosition = createPositionNotes(backlog)

  const reserve = async (from: PartialCaptionSequenceSource) => {
    if (isReserving) return
    isReserving = true
    try {
      await from.reservePartialSequences()
    } catch (error) {
      // Retrying the same captions would only repeat the error until they are too old.
      newest.clear()
      onDropped(error)
    } finally {
      isReserving = false
    }
    wake()
  }
  const dropExpired = () => {
    for (const [id, { at }] of newest) if (now() - at > rules.partialMaxAgeMs) newest.delete(id)
  }
  /** Pauses partial captions after several timeouts in a row. */
  const countTimeouts = (result: PostResult | null) => {
    timeouts = result?.error === 'timeout' ? timeouts + 1 : 0
    if (timeouts < rules.partialMaxTimeouts) return
    timeouts = 0
    nextAt = timers.now() + rules.partialPauseMs
  }
  const send = async (partial: PartialCaption, sequence: number, onStatus: () => void) => {
    mode = 'sending'
    request = new AbortController()
    const { signal } = request
    try {
      const body = Buffer.from(partial.body(sequence))
      sentCount += 1
      const deliveryId = `${record.id}_partial_${sequence}_${sentCount}`
      const timeoutMs = rules.partialTimeoutMs
      const options = { ...POST_OPTIONS, timeoutMs, deliveryId, signal, onStatus }
      const event = { sequence, type: PARTIAL_EVENT_TYPE, body }
      countTimeouts(await parts.post(event, options))
    } catch (error) {
      // A lost partial caption never stops the lane. An abort for a waiting event is expected and not reported.
      if (!signal.aborted) onDropped(error)
    } finally {
      cancelGraceTimer()
      cancelGraceTimer = () => {}
      mode = 'idle'
    }
  }

  return {
    setSequenceSource(given) {
      source = given
      if (given === null) newest.clear()
    },
    show(partial) {
      if (!isWanted || (source === null && partial.sequence === undefined)) return
      // Replacing a caption's text keeps its position in the map, so the longest wait is served first.
      newest.set(partial.captionId, partial)
      if (newest.size === 1) wake()
    },
    clear(captionIds) {
      for (const id of captionIds) newest.delete(id)
    },
    yieldToEvent() {
      if (mode !== 'sending') return
      mode = 'yielding'
      const current = request
      cancelGraceTimer = timers.after(rules.partialGraceMs, () => current.abort())
    },
    async sendNext(isHeadFailing) {
      dropExpired()
      const [partial] = newest.values()
      if (partial === undefined || isHeadFailing) return Infinity
      const waitMs = nextAt - timers.now()
      if (waitMs > 0) return waitMs
      const permit = limiter.tryAcquire()
      if (permit === null) return rules.partialIntervalMs
      try {
        // An event that was stored meanwhile has the lower sequence and must be sent first.
        if (!backlog.isCaughtUp()) return 0
        const sequence = partial.sequence ?? source?.nextPartialSequence() ?? null
        if (sequence === null) {
          if (source !== null) void reserve(source)
          return Infinity
        }
        const position = notePosition(sequence)
        // A stale sequence comes from a bot that no longer owns the meeting, so that bot's captions are dropped.
        if (position === 'stale') newest.clear()
        if (position !== 'next') return 0
        newest.delete(partial.captionId)
        nextAt = timers.now() + rules.partialIntervalMs
        await send(partial, sequence, () => permit.release('unused'))
        return 0
      } finally {
        permit.release('unused')
      }
    },
  }
}

/**
 * A forwarded caption keeps its sequence while earlier events are read, and is dropped if a newer caption came. A
 * sequence of this node is never requested twice.
 */
function createPositionNotes(backlog: Parts['backlog']) {
  let noted: number | null = null
  return (sequence: number) => {
    if (sequence === noted && backlog.readThrough() < sequence) return 'next'
    noted = sequence
    return backlog.noteUnstoredSequence(sequence)
  }
}

export interface PartialCaptionSink {
  show(partial: PartialCaption): void
  clear(captionIds: readonly string[]): void
}

type ForwarderParts = {
  numbers: PartialCaptionSequenceSource
  timers: Timers
  intervalMs: number
  /** The node that owns the lane of the meeting. Null if none does, or if its receiver wants no partial captions. */
  findNode(): Promise<string | null>
  forward(
    nodeId: string,
    caption: Omit<PartialCaption, 'body' | 'sequence'> & { sequence: number; body: string },
  ): void
  onDropped(error: unknown): void
}

/** Where a bot sends its partial captions on a node that delivers no callbacks. */
export function openPartialCaptionForwarder(
  parts: ForwarderParts,
): PartialCaptionSink & Disposable {
  const { numbers, timers, intervalMs, findNode, forward } = parts
  const newest = new Map<string, PartialCaption>()
  let isBusy = false
  const forwardNext = async () => {
    const nodeId = await findNode()
    if (nodeId === null) return newest.clear()
    const [partial] = newest.values()
    if (partial === undefined) return
    const sequence = numbers.nextPartialSequence()
    if (sequence === null) return numbers.reservePartialSequences()
    const { captionId, at, body } = partial
    newest.delete(captionId)
    forward(nodeId, { captionId, at, sequence, body: body(sequence) })
    await new Promise<void>((resolve) => timers.after(intervalMs, resolve))
  }
  const forwardAll = async () => {
    if (isBusy) return
    isBusy = true
    try {
      while (newest.size > 0) await forwardNext()
    } catch (error) {
      newest.clear()
      parts.onDropped(error)
    } finally {
      isBusy = false
    }
  }
  return {
    show(partial) {
      newest.set(partial.captionId, partial)
      void forwardAll()
    },
    clear(captionIds) {
      for (const id of captionIds) newest.delete(id)
    },
    [Symbol.dispose]: () => newest.clear(),
  }
}
