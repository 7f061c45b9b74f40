import type { Timers } from '../../lib/time/timers.ts'
import type { Backlog } from './backlog.ts'
import type { ReceiverLimiter } from '../limits/attempt-limiter.ts'
import type { LaneRules } from './retry-policy.ts'
import type { LaneRecord } from './lane.ts'
import type { LaneProgress } from './lane-transition.ts'
import type { SignedPost } from '../signed-post.ts'
import type { PostResult } from '../network/transport.ts'

/** A caption that still evolves. */
export type PartialCaption = {
  captionId: string
  /** Wall clock, milliseconds. */
  at: number
  body(sequence: number): string
}

/** Numbers for events that are not stored. */
export interface SequenceSource {
  /** Null while something is being stored, or when none is at hand. */
  nextPartialSequence(): number | null
  reservePartialSequences(): Promise<void>
}

const PARTIAL_EVENT_TYPE = 'caption_partial'

type Parts = {
  record: LaneRecord
  timers: Timers
  now(): number
  rules: LaneRules
  entrance: ReceiverLimiter
  send: SignedPost
  backlog: Pick<Backlog, 'isCaughtUp' | 'noteUnstoredSequence'>
  wake(): void
  onDropped(error: unknown): void
}

/** The evolving captions of one lane: newest wins, never kept, never in the way of an event that is. */
export function createPartialSender(parts: Parts) {
  const { record, timers, now, rules, entrance, send, backlog, wake } = parts
  const isWanted =
    record.kind === 'meeting' && (record.events?.includes(PARTIAL_EVENT_TYPE) ?? true)
  const newest = new Map<string, PartialCaption>()
  let numbers: SequenceSource | null = null
  let isReserving = false
  let nextAt = 0
  let timeouts = 0
  let underWay: AbortController | null = null
  let callOff: (() => void) | null = null
  let count = 0

  const reserve = async (source: SequenceSource) => {
    if (isReserving) return
    isReserving = true
    // A failure is the bot's to notice: it writes through the same hold.
    await Promise.allSettled([source.reservePartialSequences()])
    isReserving = false
    wake()
  }
  const dropOld = () => {
    for (const [id, { at }] of newest) if (now() - at > rules.partialMaxAgeMs) newest.delete(id)
  }
  const settle = (posted: PostResult | null) => {
    const isTimeout = posted?.error === 'timeout'
    timeouts = isTimeout ? timeouts + 1 : 0
    if (timeouts < rules.partialMaxTimeouts) return
    timeouts = 0
    nextAt = timers.now() + rules.partialPauseMs
  }
  const post = async (partial: PartialCaption, sequence: number) => {
    underWay = new AbortController()
    try {
      const event = {
        sequence,
        type: PARTIAL_EVENT_TYPE,
        body: Buffer.from(partial.body(sequence)),
      }
      count += 1
      const id = `${record.id}_partial_${sequence}_${count}`
      const timeoutMs = rules.partialTimeoutMs
      const { signal } = underWay
      settle(await send(event, { timeoutMs, isFailing: false, deliveryId: id, signal }))
    } catch (error) {
      // Mostly called off for the sake of an event that must arrive. Whatever it was, the lane goes on.
      if (!underWay.signal.aborted) parts.onDropped(error)
    } finally {
      callOff?.()
      callOff = null
      underWay = null
    }
  }

  return {
    number(source: SequenceSource | null) {
      numbers = source
      if (source === null) newest.clear()
    },
    show(partial: PartialCaption) {
      if (!isWanted || numbers === null) return
      // The one that waited longest goes first, with its newest text.
      newest.set(partial.captionId, partial)
      if (newest.size === 1) wake()
    },
    clear(captionIds: readonly string[]) {
      for (const id of captionIds) newest.delete(id)
    },
    /** An event waits: what is under way gets a moment, no more. */
    giveWay() {
      const current = underWay
      if (current !== null) callOff ??= timers.after(rules.partialGraceMs, () => current.abort())
    },
    /** Sends one if it is time; answers how long until the next may be, Infinity when none waits. */
    async offer(state: LaneProgress): Promise<number> {
      dropOld()
      const [partial] = newest.values()
      if (partial === undefined || numbers === null || state.failures > 0) return Infinity
      const waitMs = nextAt - timers.now()
      if (waitMs > 0) return waitMs
      const pass = entrance.tryAcquire()
      if (pass === null) return rules.partialIntervalMs
      try {
        // Asked at the last moment: an event that was stored meanwhile has the lower number.
        if (!backlog.isCaughtUp()) return 0
        const sequence = numbers.nextPartialSequence()
        if (sequence === null) {
          void reserve(numbers)
          return Infinity
        }
        const place = backlog.noteUnstoredSequence(sequence)
        // The captions of a bot whose meeting has another one now.
        if (place === 'stale') newest.clear()
        if (place !== 'next') return 0
        newest.delete(partial.captionId)
        nextAt = timers.now() + rules.partialIntervalMs
        await post(partial, sequence)
        return 0
      } finally {
        pass.release('unused')
      }
    },
  }
}
