import type { Timers } from '../lib/timers.ts'
import { createBreaker, type Breaker } from './breaker.ts'
import { createSlots, type SlotLimits, type SlotQueue } from './slots.ts'

/** The right to one attempt. Give it back exactly once, with what became of it. */
export type Pass = { leave(outcome: 'worked' | 'fault' | 'unused'): void }

/** Decides when a lane may make its next attempt, so that no receiver is in the way of another. */
export interface Gate {
  /** The way of one lane to its receiver. `onWorking` is told when the URL works again. */
  open(to: { url: string; tokenId: string }, onWorking: () => void): Entrance
}

/** Dispose it when the lane ends. */
export interface Entrance extends Disposable {
  /** Null when the signal aborts first, also in the moment in which it would have been let in. */
  enter(lane: { isTroubled: boolean; headAt: number }, signal: AbortSignal): Promise<Pass | null>
  /** Null instead of waiting, and while the receiver does not work. */
  tryEnter(): Pass | null
}

/** A receiver, as long as lanes lead to it. Those of a token have places together. */
type Receiver = {
  breaker: Breaker
  listeners: Set<() => void>
  healthy: Map<string, SlotQueue>
  troubled: SlotQueue
}

export function createGate(timers: Timers, limits?: SlotLimits): Gate {
  const slots = createSlots(limits)
  const receivers = new Map<string, Receiver>()

  const receiverFor = (name: string): Receiver => {
    const known = receivers.get(name)
    if (known !== undefined) return known
    const listeners = new Set<() => void>()
    const onClose = () => {
      for (const listener of listeners) listener()
    }
    const breaker = createBreaker({ timers, onClose })
    const receiver = { breaker, listeners, healthy: new Map(), troubled: slots.open('troubled') }
    receivers.set(name, receiver)
    return receiver
  }
  const placesOf = ({ healthy }: Receiver, tokenId: string): SlotQueue => {
    const known = healthy.get(tokenId) ?? slots.open('healthy')
    healthy.set(tokenId, known)
    return known
  }

  return {
    open({ url, tokenId }, onWorking) {
      const name = receiverOf(url)
      const receiver = receiverFor(name)
      const { breaker, listeners, troubled } = receiver
      const healthy = placesOf(receiver, tokenId)
      // Given twice, it is two that listen.
      const listener = () => onWorking()
      listeners.add(listener)
      return {
        async enter({ isTroubled, headAt }, signal) {
          const places = isTroubled ? troubled : healthy
          while (!signal.aborted) {
            // Mostly nobody has to wait, and then nothing is waited for.
            const ticket = breaker.tryEnter() ?? (await breaker.enter(headAt, signal))
            if (ticket === null) return null
            const slot = places.tryTake() ?? (await places.take(signal))
            const leave: Pass['leave'] = (outcome) => {
              slot?.leave()
              ticket.leave(outcome)
            }
            // While a place was waited for, the receiver may have been found not to work.
            const isLate = breaker.isOpen() && !ticket.isProbe
            if (slot !== null && !signal.aborted && !isLate) return { leave }
            leave('unused')
          }
          return null
        },
        tryEnter() {
          const slot = breaker.isOpen() ? null : healthy.tryTake()
          // What becomes of a partial says nothing about the events that must arrive.
          return slot === null ? null : { leave: () => slot.leave() }
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
function receiverOf(url: string): string {
  const read = URL.parse(url)
  return read === null ? url : `${read.origin}${read.pathname}`
}
