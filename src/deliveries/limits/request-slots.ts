import { createWaitQueue } from '../../lib/async/wait-queue.ts'

/** A place for one request under way. Leave it exactly once. */
export type RequestSlot = { release(): void }

export type SlotLimits = {
  total: number
  /** For each token and receiver: a host may have some that work and some that hang. */
  healthy: number
  /** For each receiver, and of all together: those that hang never hold a healthy lane's place. */
  failing: number
  allFailing: number
}

export const SLOT_LIMITS: SlotLimits = { total: 512, healthy: 64, failing: 8, allFailing: 64 }

/** Bounds how many requests are under way, fair between receivers: each has queues of its own. */
export interface RequestSlots {
  /** A queue for one receiver of one token, or for all lanes of a receiver that are in trouble. */
  openQueue(kind: 'healthy' | 'failing'): SlotQueue
}

export interface SlotQueue {
  /** Null when the signal aborts first. */
  acquire(signal: AbortSignal): Promise<RequestSlot | null>
  /** Null instead of waiting. */
  tryAcquire(): RequestSlot | null
}

/** A queue in which somebody waits. */
type WaitingQueue = { hasRoom(): boolean; letIn(): void; size(): number }

export function createRequestSlots(limits: SlotLimits = SLOT_LIMITS): RequestSlots {
  /** Who was served goes to the end. */
  const crowds = new Set<WaitingQueue>()
  const all = { healthy: 0, failing: 0 }
  const most = { healthy: limits.total, failing: limits.allFailing }

  const isFull = () => all.healthy + all.failing >= limits.total
  /** One from each queue in turn while there is room. */
  const admit = (inTurn: readonly WaitingQueue[]) => {
    for (const crowd of inTurn) {
      if (!crowds.has(crowd) || !crowd.hasRoom()) continue
      crowds.delete(crowd)
      crowd.letIn()
      if (crowd.size() > 0) crowds.add(crowd)
    }
  }

  return {
    openQueue(kind) {
      const waiting = createWaitQueue<null, RequestSlot>()
      let inFlight = 0

      const count = (change: 1 | -1) => {
        inFlight += change
        all[kind] += change
      }
      const enter = (): RequestSlot => {
        count(1)
        let hasLeft = false
        return {
          release() {
            if (hasLeft) return
            hasLeft = true
            // What lanes in trouble share they wait for together, and all for the last place; else only who waits here.
            const isShared = kind === 'failing' || isFull()
            count(-1)
            admit(isShared ? [...crowds] : [crowd])
          },
        }
      }
      const crowd: WaitingQueue = {
        hasRoom: () => !isFull() && inFlight < limits[kind] && all[kind] < most[kind],
        letIn: () => waiting.admitNext(enter),
        size: waiting.size,
      }
      const tryTake = () => (waiting.size() === 0 && crowd.hasRoom() ? enter() : null)

      return {
        tryAcquire: tryTake,
        async acquire(signal) {
          const free = tryTake()
          if (free !== null) return free
          crowds.add(crowd)
          const slot = await waiting.wait(null, signal)
          if (slot === null && waiting.size() === 0) crowds.delete(crowd)
          return slot
        },
      }
    },
  }
}
