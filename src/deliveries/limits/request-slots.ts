import { createWaitQueue } from '../../lib/async/queues/wait-queue.ts'

/** The right to have one request in flight. Releasing it twice has no effect. */
export type RequestSlot = { release(): void }

export type RequestSlotLimits = {
  /** Limit for all requests in flight on this node together. */
  total: number
  /** Limit for the requests of healthy lanes, for each pair of token and receiver. */
  healthy: number
  /** Limit for the requests of failing lanes, for each receiver. */
  failing: number
  /** Limit for the requests of all failing lanes together, so that hanging receivers never use up the total. */
  allFailing: number
}

export const DEFAULT_REQUEST_SLOT_LIMITS: RequestSlotLimits = {
  total: 512,
  healthy: 64,
  failing: 8,
  allFailing: 64,
}

/** Limits the number of requests in flight and shares the slots fairly between receivers. */
export interface RequestSlotLimiter {
  /** `healthy`: a queue for one token at one receiver. `failing`: a queue for all failing lanes of a receiver. */
  openQueue(kind: 'healthy' | 'failing'): RequestSlotQueue
}

export interface RequestSlotQueue {
  /** Waits for a free slot; null when the signal aborts first. */
  acquire(signal: AbortSignal): Promise<RequestSlot | null>
  /** Returns null instead of waiting for a slot. */
  tryAcquire(): RequestSlot | null
}

/** A queue in which at least one request waits for a slot. */
type WaitingQueue = { hasCapacity(): boolean; admitFirst(): void; size(): number }

export function createRequestSlotLimiter(
  limits: RequestSlotLimits = DEFAULT_REQUEST_SLOT_LIMITS,
): RequestSlotLimiter {
  /** Round-robin order: a queue that was served moves to the end. */
  const waitingQueues = new Set<WaitingQueue>()
  const inFlightByKind = { healthy: 0, failing: 0 }
  const maxByKind = { healthy: limits.total, failing: limits.allFailing }

  const isFull = () => inFlightByKind.healthy + inFlightByKind.failing >= limits.total
  /** Admits one request of each given queue, as far as there is capacity. */
  const admit = (queues: readonly WaitingQueue[]) => {
    for (const queue of queues) {
      if (!waitingQueues.has(queue) || !queue.hasCapacity()) continue
      waitingQueues.delete(queue)
      queue.admitFirst()
      if (queue.size() > 0) waitingQueues.add(queue)
    }
  }

  return {
    openQueue(kind) {
      const waiting = createWaitQueue<null, RequestSlot>()
      let inFlight = 0

      const count = (change: 1 | -1) => {
        inFlight += change
        inFlightByKind[kind] += change
      }
      const newSlot = (): RequestSlot => {
        count(1)
        let isReleased = false
        return {
          release() {
            if (isReleased) return
            isReleased = true
            // Capacity released by a failing lane, or on a full node, may serve any queue; otherwise only this one.
            const isShared = kind === 'failing' || isFull()
            count(-1)
            admit(isShared ? [...waitingQueues] : [queue])
          },
        }
      }
      const queue: WaitingQueue = {
        hasCapacity: () =>
          !isFull() && inFlight < limits[kind] && inFlightByKind[kind] < maxByKind[kind],
        admitFirst: () => waiting.admitNext(newSlot),
        size: waiting.size,
      }
      const tryAcquire = () => (waiting.size() === 0 && queue.hasCapacity() ? newSlot() : null)

      return {
        tryAcquire,
        async acquire(signal) {
          const free = tryAcquire()
          if (free !== null) return free
          waitingQueues.add(queue)
          const slot = await waiting.wait(null, signal)
          if (slot === null && waiting.size() === 0) waitingQueues.delete(queue)
          return slot
        },
      }
    },
  }
}
