import { createWaitQueue } from '../lib/async/queues.ts'
import type { Timers } from '../lib/time/clock.ts'
import { createCircuitBreaker, type PermitResult, type CircuitBreaker } from './circuit-breaker.ts'

/** Permission for one attempt. The holder must release it with the result of the attempt; later releases do nothing. */
export type AttemptPermit = { release(result: PermitResult): void }

/** Decides when a lane may start its next attempt, so that a slow or failing receiver does not delay others. */
export interface AttemptLimiter {
  /** Returns a lane's limiter for its receiver. Calls `onWorking` when the URL works again. */
  forReceiver(to: { url: string; tokenId: string }, onWorking: () => void): LaneAttemptLimiter
}

/** The lane must dispose its limiter when it ends. */
export interface LaneAttemptLimiter extends Disposable {
  /** Null if the signal aborts before the permit is granted, or if `onHeldBack` returns false. */
  acquire(lane: LanePermitRequest, signal: AbortSignal): Promise<AttemptPermit | null>
  /** Returns null instead of waiting for a permit, and always returns null while the circuit breaker is open. */
  tryAcquire(): AttemptPermit | null
}

export type LanePermitRequest = {
  /** True if the lane itself has failed. */
  isFailing: boolean
  headAt: number
  /** Called before the lane waits for other failing lanes of its receiver and token. False if it should not wait. */
  onHeldBack?(): Promise<boolean>
}

type ReceiverState = { failing: RequestSlotQueue; tokens: Map<string, TokenState> }
/** The lanes that send to one receiver with one token. A receiver may refuse one token and accept another. */
type TokenState = {
  breaker: CircuitBreaker
  recoveryListeners: Set<() => void>
  healthy: RequestSlotQueue
}

/** The right to have one request in flight. Releasing it twice has no effect. */
export type RequestSlot = { release(): void }

export type RequestSlotLimits = {
  /** Limit for all requests in flight on this node. */
  total: number
  /** Limit for requests of healthy lanes, for each pair of token and receiver. */
  healthy: number
  /** Limit for requests of failing lanes, for each receiver. */
  failing: number
  /** Limit for requests of all failing lanes, so that hanging receivers never use up the total. */
  allFailing: number
}

export const DEFAULT_REQUEST_SLOT_LIMITS: RequestSlotLimits = {
  total: 512,
  healthy: 64,
  failing: 8,
  allFailing: 64,
}

export interface RequestSlotQueue {
  /** Waits for a free slot. Null if the signal aborts first. */
  acquire(signal: AbortSignal): Promise<RequestSlot | null>
  /** Returns null instead of waiting for a slot. */
  tryAcquire(): RequestSlot | null
}

/** A queue in which at least one request waits for a slot. */
type WaitingQueue = { hasCapacity(): boolean; admitFirst(): void; size(): number }

export function createAttemptLimiter(timers: Timers, limits?: RequestSlotLimits): AttemptLimiter {
  const slots = createRequestSlotLimiter(limits)
  const receivers = new Map<string, ReceiverState>()

  const receiverFor = (key: string): ReceiverState => {
    const known = receivers.get(key) ?? { failing: slots.openQueue('failing'), tokens: new Map() }
    receivers.set(key, known)
    return known
  }
  const tokenFor = ({ tokens }: ReceiverState, tokenId: string): TokenState => {
    const known = tokens.get(tokenId)
    if (known !== undefined) return known
    const recoveryListeners = new Set<() => void>()
    const onClose = () => {
      for (const listener of recoveryListeners) listener()
    }
    const breaker = createCircuitBreaker({ timers, onClose })
    const token = { breaker, recoveryListeners, healthy: slots.openQueue('healthy') }
    tokens.set(tokenId, token)
    return token
  }

  return {
    forReceiver({ url, tokenId }, onWorking) {
      const key = receiverKey(url)
      const receiver = receiverFor(key)
      const token = tokenFor(receiver, tokenId)
      const { breaker, recoveryListeners, healthy } = token
      const breakerLane = breaker.join()
      // Each lane needs its own function in the set, because two lanes may pass the same `onWorking`.
      const listener = () => onWorking()
      recoveryListeners.add(listener)

      const acquireFromBreaker = async (lane: LanePermitRequest, signal: AbortSignal) => {
        const { isFailing, headAt: at } = lane
        const isHeldBack = breaker.isOpen() && !isFailing
        if (isHeldBack && (await lane.onHeldBack?.()) === false) return null
        return breakerLane.acquire({ isFailing, at }, signal)
      }
      return {
        async acquire(lane, signal) {
          const { isFailing, headAt: at } = lane
          const queue = isFailing ? receiver.failing : healthy
          while (!signal.aborted) {
            // Calling tryAcquire first avoids an await in the usual case, when nothing has to wait.
            const breakerPermit =
              breakerLane.tryAcquire({ isFailing, at }) ?? (await acquireFromBreaker(lane, signal))
            if (breakerPermit === null) return null
            const slot = queue.tryAcquire() ?? (await queue.acquire(signal))
            const permit = createPermit((result) => {
              slot?.release()
              breakerPermit.release(result)
            })
            // The breaker may have opened while this lane waited for a slot.
            const isOutdated = breaker.isOpen() && !breakerPermit.isProbe
            if (slot !== null && !signal.aborted && !isOutdated) return permit
            permit.release('unused')
          }
          return null
        },
        tryAcquire() {
          const slot = breaker.isOpen() ? null : healthy.tryAcquire()
          // Partial captions use this method. The circuit breaker ignores their results.
          return slot === null ? null : createPermit(() => slot.release())
        },
        [Symbol.dispose]() {
          recoveryListeners.delete(listener)
          breakerLane[Symbol.dispose]()
          if (recoveryListeners.size > 0 || receiver.tokens.get(tokenId) !== token) return
          breaker[Symbol.dispose]()
          receiver.tokens.delete(tokenId)
          if (receiver.tokens.size === 0 && receivers.get(key) === receiver) receivers.delete(key)
        },
      }
    },
  }
}

function createPermit(onRelease: AttemptPermit['release']): AttemptPermit {
  let isReleased = false
  return {
    release(result) {
      if (!isReleased) onRelease(result)
      isReleased = true
    },
  }
}

/** Identifies a receiver by scheme, host, port and path of its URL. The query often differs between meetings. */
function receiverKey(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? url : `${parsed.origin}${parsed.pathname}`
}

/** Limits the number of requests in flight and shares the slots fairly between receivers. */
export function createRequestSlotLimiter(limits: RequestSlotLimits = DEFAULT_REQUEST_SLOT_LIMITS) {
  /** Round-robin order: a queue moves to the end after it was served. */
  const waitingQueues = new Set<WaitingQueue>()
  const inFlightByKind = { healthy: 0, failing: 0 }
  const maxByKind = { healthy: limits.total, failing: limits.allFailing }

  const isFull = () => inFlightByKind.healthy + inFlightByKind.failing >= limits.total
  /** Admits one request from each given queue while there is capacity. */
  const admit = (queues: readonly WaitingQueue[]) => {
    for (const queue of queues) {
      if (!waitingQueues.has(queue) || !queue.hasCapacity()) continue
      waitingQueues.delete(queue)
      queue.admitFirst()
      if (queue.size() > 0) waitingQueues.add(queue)
    }
  }

  return {
    /** `healthy`: a queue for one token at one receiver. `failing`: a queue for all failing lanes of a receiver. */
    openQueue(kind: 'healthy' | 'failing'): RequestSlotQueue {
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
            // Any queue may use capacity that a failing lane released, or that became free on a full node.
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
