import type { Timers } from '../../lib/time/timers.ts'
import { createCircuitBreaker, type AttemptResult, type CircuitBreaker } from './circuit-breaker.ts'
import { createRequestSlots, type SlotLimits, type SlotQueue } from './request-slots.ts'

/** The right to one attempt. Give it back exactly once, with what became of it. */
export type AttemptPermit = { release(outcome: AttemptResult): void }

/** Decides when a lane may make its next attempt, so that no receiver is in the way of another. */
export interface AttemptLimiter {
  /** The way of one lane to its receiver. `onWorking` is told when the URL works again. */
  forReceiver(to: { url: string; tokenId: string }, onWorking: () => void): ReceiverLimiter
}

/** Dispose it when the lane ends. */
export interface ReceiverLimiter extends Disposable {
  /** Null when the signal aborts first, also in the moment in which it would have been let in. */
  acquire(
    lane: { isFailing: boolean; headAt: number },
    signal: AbortSignal,
  ): Promise<AttemptPermit | null>
  /** Null instead of waiting, and while the receiver does not work. */
  tryAcquire(): AttemptPermit | null
}

/** A receiver, as long as lanes lead to it. Those of a token have places together. */
type ReceiverState = {
  breaker: CircuitBreaker
  listeners: Set<() => void>
  healthy: Map<string, SlotQueue>
  failing: SlotQueue
}

export function createAttemptLimiter(timers: Timers, limits?: SlotLimits): AttemptLimiter {
  const slots = createRequestSlots(limits)
  const receivers = new Map<string, ReceiverState>()

  const receiverFor = (name: string): ReceiverState => {
    const known = receivers.get(name)
    if (known !== undefined) return known
    const listeners = new Set<() => void>()
    const onClose = () => {
      for (const listener of listeners) listener()
    }
    const breaker = createCircuitBreaker({ timers, onClose })
    const receiver = {
      breaker,
      listeners,
      healthy: new Map(),
      failing: slots.openQueue('failing'),
    }
    receivers.set(name, receiver)
    return receiver
  }
  const placesOf = ({ healthy }: ReceiverState, tokenId: string): SlotQueue => {
    const known = healthy.get(tokenId) ?? slots.openQueue('healthy')
    healthy.set(tokenId, known)
    return known
  }

  return {
    forReceiver({ url, tokenId }, onWorking) {
      const name = receiverKey(url)
      const receiver = receiverFor(name)
      const { breaker, listeners, failing } = receiver
      const healthy = placesOf(receiver, tokenId)
      // Given twice, it is two that listen.
      const listener = () => onWorking()
      listeners.add(listener)
      return {
        async acquire({ isFailing, headAt }, signal) {
          const places = isFailing ? failing : healthy
          while (!signal.aborted) {
            // Mostly nobody has to wait, and then nothing is waited for.
            const ticket = breaker.tryAcquire() ?? (await breaker.acquire(headAt, signal))
            if (ticket === null) return null
            const slot = places.tryAcquire() ?? (await places.acquire(signal))
            const leave: AttemptPermit['release'] = (outcome) => {
              slot?.release()
              ticket.release(outcome)
            }
            // While a place was waited for, the receiver may have been found not to work.
            const isLate = breaker.isOpen() && !ticket.isProbe
            if (slot !== null && !signal.aborted && !isLate) return { release: leave }
            leave('unused')
          }
          return null
        },
        tryAcquire() {
          const slot = breaker.isOpen() ? null : healthy.tryAcquire()
          // What becomes of a partial says nothing about the events that must arrive.
          return slot === null ? null : { release: () => slot.release() }
        },
        [Symbol.dispose]() {
          listeners.delete(listener)
          if (listeners.size > 0 || receivers.get(name) !== receiver) return
          receivers.delete(name)
          breaker[Symbol.dispose]()
        },
      }
    },
  }
}

/** Scheme, host, port and path; a query often differs from meeting to meeting. */
function receiverKey(url: string): string {
  const read = URL.parse(url)
  return read === null ? url : `${read.origin}${read.pathname}`
}
