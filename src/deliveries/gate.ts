import { memoize } from '../lib/memo.ts'
import type { Timers } from '../lib/timers.ts'
import { createBreaker, type Breaker } from './breaker.ts'
import { createSlots, type SlotLimits } from './slots.ts'

/** Who asks to make an attempt. */
export type Asking = { url: string; token: string; isTroubled: boolean; headAt: number }

/** The right to one attempt. Give it back exactly once, with what became of it. */
export type Pass = { leave(outcome: 'worked' | 'fault' | 'unused'): void }

/** Decides when a lane may make its next attempt, so that no receiver is in the way of another. */
export interface Gate {
  /** Null when the signal aborts first, also in the moment in which it would have been let in. */
  enter(asking: Asking, signal: AbortSignal): Promise<Pass | null>
  /** Null instead of waiting, and while the receiver does not work. */
  tryEnter(asking: Asking): Pass | null
  /** Told when the URL works again. Dispose to be forgotten. */
  onWorking(url: string, listener: () => void): Disposable
}

type Row = { breaker: Breaker; listeners: Set<() => void>; users: number }

export function createGate(timers: Timers, limits?: SlotLimits): Gate {
  const slots = createSlots(limits)
  const rows = new Map<string, Row>()
  const read = memoize(receiverOf, { most: 10_000 })

  const rowFor = (url: string): Row => {
    const name = read(url)
    let row = rows.get(name)
    if (row === undefined) {
      const listeners = new Set<() => void>()
      const onClose = () => {
        for (const listener of listeners) listener()
      }
      row = { breaker: createBreaker({ timers, onClose }), listeners, users: 0 }
      rows.set(name, row)
    }
    return row
  }
  const slotKey = ({ url, token, isTroubled }: Asking) => {
    return { token, receiver: read(url), isTroubled }
  }

  return {
    async enter(asking, signal) {
      const { breaker } = rowFor(asking.url)
      while (!signal.aborted) {
        // Mostly nobody has to wait, and then nothing is waited for.
        const ticket = breaker.tryEnter() ?? (await breaker.enter(asking.headAt, signal))
        if (ticket === null) return null
        const key = slotKey(asking)
        const slot = slots.tryTake(key) ?? (await slots.take(key, signal))
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
    tryEnter(asking) {
      if (rowFor(asking.url).breaker.isOpen()) return null
      const slot = slots.tryTake(slotKey(asking))
      // What becomes of a partial says nothing about the events that must arrive.
      return slot === null ? null : { leave: () => slot.leave() }
    },
    onWorking(url, listener) {
      const row = rowFor(url)
      row.users += 1
      row.listeners.add(listener)
      return {
        [Symbol.dispose]() {
          row.listeners.delete(listener)
          row.users -= 1
          if (row.users > 0) return
          rows.delete(read(url))
          row.breaker[Symbol.dispose]()
        },
      }
    },
  }
}

/** Scheme, host, port and path; a query often differs from meeting to meeting. */
function receiverOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
