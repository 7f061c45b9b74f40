import { BREAKER_RULES, type PermitResult } from '../../../src/deliveries/limits/circuit-breaker.ts'
import type {
  AttemptLimiter,
  AttemptPermit,
} from '../../../src/deliveries/limits/attempt-limiter.ts'

type Parts = {
  now(): number
  assert(isTrue: boolean, text: () => string): void
  count(what: string): void
}

type UrlState = {
  failures: number
  isOpen: boolean
  changedAt: number
  inFlight: number
  users: number
}

/** Wraps an attempt limiter and checks every permit against an independent model of the circuit breaker. */
export function checkAttemptLimiter(
  limiter: AttemptLimiter,
  { now, assert, count }: Parts,
): AttemptLimiter {
  const urls = new Map<string, UrlState>()

  const urlFor = (url: string): UrlState => {
    const name = url.replace(/\?.*/, '')
    const known = urls.get(name) ?? {
      failures: 0,
      isOpen: false,
      changedAt: -Infinity,
      inFlight: 0,
      users: 0,
    }
    urls.set(name, known)
    return known
  }
  const onAdmitted = (url: UrlState, name: string) => {
    url.inFlight += 1
    // Tolerance for floating-point rounding.
    const sinceMs = now() - url.changedAt + 0.001
    const text = () => `${name} admits ${url.inFlight} attempts after ${sinceMs} ms`
    if (url.isOpen) count('probe')
    if (url.isOpen) assert(url.inFlight === 1 && sinceMs >= BREAKER_RULES.probeDelaysMs[0], text)
    else assert(url.inFlight <= maxConcurrentAfter(sinceMs), text)
  }
  const onReleased = (url: UrlState, result: PermitResult) => {
    url.inFlight -= 1
    if (result === 'unused') return
    const wasOpen = url.isOpen
    url.failures = result === 'failure' ? url.failures + 1 : 0
    url.isOpen = url.failures >= BREAKER_RULES.failuresToOpen
    if (url.isOpen !== wasOpen) url.changedAt = now()
  }
  /** Checks that the permit is released only once. */
  const checkPermit = (
    permit: AttemptPermit,
    onRelease: (result: PermitResult) => void,
  ): AttemptPermit => {
    let isReleased = false
    return {
      release(result) {
        assert(!isReleased, () => 'a permit is released twice')
        isReleased = true
        onRelease(result)
        permit.release(result)
      },
    }
  }

  return {
    forReceiver(to, onWorking) {
      const url = urlFor(to.url)
      url.users += 1
      const receiver = limiter.forReceiver(to, onWorking)
      return {
        async acquire(lane, signal) {
          const permit = await receiver.acquire(lane, signal)
          if (permit === null) return null
          onAdmitted(url, to.url)
          return checkPermit(permit, (result) => onReleased(url, result))
        },
        tryAcquire() {
          const permit = receiver.tryAcquire()
          if (permit === null) return null
          assert(!url.isOpen, () => `a partial caption is admitted to ${to.url}`)
          return checkPermit(permit, () => undefined)
        },
        [Symbol.dispose]() {
          receiver[Symbol.dispose]()
          url.users -= 1
          if (url.users === 0) urls.delete(to.url.replace(/\?.*/, ''))
        },
      }
    },
  }
}

/** The limit while the circuit breaker recovers: it doubles every second. */
function maxConcurrentAfter(sinceMs: number): number {
  const doublings = Math.floor(sinceMs / BREAKER_RULES.rampIntervalMs)
  const limit = BREAKER_RULES.initialConcurrency * 2 ** Math.min(doublings, 30)
  return limit >= BREAKER_RULES.maxLimited ? Infinity : limit
}
