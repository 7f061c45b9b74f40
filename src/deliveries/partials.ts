import type { Timers } from '../lib/timers.ts'
import type { Backlog } from './backlog.ts'
import type { Entrance } from './gate.ts'
import type { LaneRules } from './judge.ts'
import type { LaneRecord } from './lane.ts'
import type { LaneState } from './lane-state.ts'
import type { Send } from './sender.ts'
import type { Posted } from './transport.ts'

/** A caption that still evolves. */
export type Partial = {
  captionId: string
  /** Wall clock, milliseconds. */
  at: number
  body(sequence: number): string
}

/** Numbers for events that are not stored. */
export interface Numbers {
  /** Null while something is being stored, or when none is at hand. */
  takeNumber(): number | null
  reserveNumbers(): Promise<void>
}

const TYPE = 'caption_partial'

type Parts = {
  record: LaneRecord
  timers: Timers
  now(): number
  rules: LaneRules
  entrance: Entrance
  send: Send
  backlog: Pick<Backlog, 'isEmpty' | 'skip'>
  wake(): void
  onDropped(error: unknown): void
}

/** The evolving captions of one lane: newest wins, never kept, never in the way of an event that is. */
export function createPartials(parts: Parts) {
  const { record, timers, now, rules, entrance, send, backlog, wake } = parts
  const isWanted = record.kind === 'meeting' && (record.events?.includes(TYPE) ?? true)
  const newest = new Map<string, Partial>()
  let numbers: Numbers | null = null
  let isReserving = false
  let nextAt = 0
  let timeouts = 0
  let underWay: AbortController | null = null
  let callOff: (() => void) | null = null
  let count = 0

  const reserve = async (source: Numbers) => {
    if (isReserving) return
    isReserving = true
    // A failure is the bot's to notice: it writes through the same hold.
    await Promise.allSettled([source.reserveNumbers()])
    isReserving = false
    wake()
  }
  const dropOld = () => {
    for (const [id, { at }] of newest) if (now() - at > rules.partialTooOldMs) newest.delete(id)
  }
  const settle = (posted: Posted | null) => {
    const isTimeout = posted?.error === 'timeout'
    timeouts = isTimeout ? timeouts + 1 : 0
    if (timeouts < rules.partialTimeouts) return
    timeouts = 0
    nextAt = timers.now() + rules.partialPauseMs
  }
  const post = async (partial: Partial, sequence: number) => {
    underWay = new AbortController()
    try {
      const event = { sequence, type: TYPE, body: Buffer.from(partial.body(sequence)) }
      count += 1
      const id = `${record.id}_partial_${sequence}_${count}`
      const timeoutMs = rules.partialTimeoutMs
      const { signal } = underWay
      settle(await send(event, { timeoutMs, isTroubled: false, deliveryId: id, signal }))
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
    number(source: Numbers | null) {
      numbers = source
      if (source === null) newest.clear()
    },
    show(partial: Partial) {
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
    async offer(state: LaneState): Promise<number> {
      dropOld()
      const [partial] = newest.values()
      if (partial === undefined || numbers === null || state.failures > 0) return Infinity
      const waitMs = nextAt - timers.now()
      if (waitMs > 0) return waitMs
      const pass = entrance.tryEnter()
      if (pass === null) return rules.partialEveryMs
      try {
        // Asked at the last moment: an event that was stored meanwhile has the lower number.
        if (!backlog.isEmpty()) return 0
        const sequence = numbers.takeNumber()
        if (sequence === null) {
          void reserve(numbers)
          return Infinity
        }
        const place = backlog.skip(sequence)
        // The captions of a bot whose meeting has another one now.
        if (place === 'behind') newest.clear()
        if (place !== 'next') return 0
        newest.delete(partial.captionId)
        nextAt = timers.now() + rules.partialEveryMs
        await post(partial, sequence)
        return 0
      } finally {
        pass.leave('unused')
      }
    },
  }
}
