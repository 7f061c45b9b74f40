import type { AttemptLimiter, AttemptPermit } from '../../../src/deliveries/attempt-limiter.ts'
import { BREAKER_RULES, type PermitResult } from '../../../src/deliveries/circuit-breaker.ts'

type Parts = {
  now(): number
  assert(isTrue: boolean, text: () => string): void
  count(what: string): void
}

/** The model's knowledge of one receiver and one token. */
type DestinationState = {
  failures: number
  isOpen: boolean
  changedAt: number
  inFlight: number
  lanes: Set<ModelLane>
}
/** When the last attempt of a lane succeeded; null if it failed or there was none. */
type ModelLane = { succeededAt: number | null }

/** Wraps an attempt limiter and checks every permit against an independent model of the circuit breaker. */
export function checkAttemptLimiter(
  limiter: AttemptLimiter,
  { now, assert, count }: Parts,
): AttemptLimiter {
  const destinations = new Map<string, DestinationState>()

  const destinationFor = (name: string): DestinationState => {
    const known = destinations.get(name) ?? {
      failures: 0,
      isOpen: false,
      changedAt: -Infinity,
      inFlight: 0,
      lanes: new Set(),
    }
    destinations.set(name, known)
    return known
  }
  const onAdmitted = (destination: DestinationState, name: string) => {
    destination.inFlight += 1
    // Tolerance for floating-point rounding.
    const sinceMs = now() - destination.changedAt + 0.001
    const { isOpen, inFlight } = destination
    const text = () => `${name} admits ${inFlight} attempts after ${sinceMs} ms`
    if (isOpen) count('probe')
    if (isOpen) assert(inFlight === 1 && sinceMs >= BREAKER_RULES.probeDelaysMs[0], text)
    else assert(inFlight <= maxConcurrentAfter(sinceMs), text)
  }
  const isWorking = ({ succeededAt }: ModelLane) =>
    succeededAt !== null && now() - succeededAt <= BREAKER_RULES.workingMs
  /** A failure is evidence about the receiver only if the lane worked before, or if no other lane works. */
  const isEvidence = (destination: DestinationState, lane: ModelLane) =>
    isWorking(lane) || ![...destination.lanes].some(isWorking)
  const onReleased = (destination: DestinationState, lane: ModelLane, result: PermitResult) => {
    destination.inFlight -= 1
    if (result === 'unused') return
    const wasOpen = destination.isOpen
    if (result === 'success') destination.failures = 0
    else if (isEvidence(destination, lane)) destination.failures += 1
    else count('failure of one lane')
    lane.succeededAt = result === 'success' ? now() : null
    destination.isOpen = destination.failures >= BREAKER_RULES.failuresToOpen
    if (destination.isOpen !== wasOpen) destination.changedAt = now()
  }
  /** The model counts the first release. If a later release had an effect, the model would not match the limiter. */
  const checkPermit = (
    permit: AttemptPermit,
    onRelease: (result: PermitResult) => void,
  ): AttemptPermit => {
    let isReleased = false
    return {
      release(result) {
        if (!isReleased) onRelease(result)
        isReleased = true
        permit.release(result)
      },
    }
  }

  return {
    forReceiver(to, onWorking) {
      const name = `${to.url.replace(/\?.*/, '')} ${to.tokenId}`
      const destination = destinationFor(name)
      const modelLane: ModelLane = { succeededAt: null }
      destination.lanes.add(modelLane)
      const receiver = limiter.forReceiver(to, onWorking)
      return {
        async acquire(lane, signal) {
          const permit = await receiver.acquire(lane, signal)
          if (permit === null) return null
          onAdmitted(destination, name)
          return checkPermit(permit, (result) => onReleased(destination, modelLane, result))
        },
        tryAcquire() {
          const permit = receiver.tryAcquire()
          if (permit === null) return null
          assert(!destination.isOpen, () => `a partial caption is admitted to ${name}`)
          return checkPermit(permit, () => undefined)
        },
        [Symbol.dispose]() {
          receiver[Symbol.dispose]()
          destination.lanes.delete(modelLane)
          if (destination.lanes.size === 0) destinations.delete(name)
        },
      }
    },
  }
}

/** The limit while the circuit breaker recovers. It doubles every second. */
function maxConcurrentAfter(sinceMs: number): number {
  const doublings = Math.floor(sinceMs / BREAKER_RULES.rampIntervalMs)
  const limit = BREAKER_RULES.initialConcurrency * 2 ** Math.min(doublings, 30)
  return limit >= BREAKER_RULES.maxLimited ? Infinity : limit
}
