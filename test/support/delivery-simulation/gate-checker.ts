import {
  BREAKER_RULES,
  type AttemptResult,
} from '../../../src/deliveries/limits/circuit-breaker.ts'
import type {
  AttemptLimiter,
  AttemptPermit,
} from '../../../src/deliveries/limits/attempt-limiter.ts'

type Parts = {
  now(): number
  assert(isTrue: boolean, text: () => string): void
  count(what: string): void
}

type Url = { faults: number; isOpen: boolean; changedAt: number; inside: number; users: number }

/** The gate, and beside it a second opinion on whom it may let in. */
export function checkGate(gate: AttemptLimiter, { now, assert, count }: Parts): AttemptLimiter {
  const urls = new Map<string, Url>()

  const urlFor = (url: string): Url => {
    const name = url.replace(/\?.*/, '')
    const known = urls.get(name) ?? {
      faults: 0,
      isOpen: false,
      changedAt: -Infinity,
      inside: 0,
      users: 0,
    }
    urls.set(name, known)
    return known
  }
  const letIn = (url: Url, name: string) => {
    url.inside += 1
    // Sums of fractions differ in the last digit.
    const sinceMs = now() - url.changedAt + 0.001
    const text = () => `${name} lets in ${url.inside} after ${sinceMs} ms`
    if (url.isOpen) count('probe')
    if (url.isOpen) assert(url.inside === 1 && sinceMs >= BREAKER_RULES.probeDelaysMs[0], text)
    else assert(url.inside <= maxConcurrentAfter(sinceMs), text)
  }
  const note = (url: Url, outcome: AttemptResult) => {
    url.inside -= 1
    if (outcome === 'unused') return
    const wasOpen = url.isOpen
    url.faults = outcome === 'failure' ? url.faults + 1 : 0
    url.isOpen = url.faults >= BREAKER_RULES.failuresToOpen
    if (url.isOpen !== wasOpen) url.changedAt = now()
  }
  /** Everybody gives the pass back, and only once. */
  const guarded = (pass: AttemptPermit, done: (outcome: AttemptResult) => void): AttemptPermit => {
    let hasLeft = false
    return {
      release(outcome) {
        assert(!hasLeft, () => 'a pass is given back twice')
        hasLeft = true
        done(outcome)
        pass.release(outcome)
      },
    }
  }

  return {
    forReceiver(to, onWorking) {
      const url = urlFor(to.url)
      url.users += 1
      const entrance = gate.forReceiver(to, onWorking)
      return {
        async acquire(lane, signal) {
          const pass = await entrance.acquire(lane, signal)
          if (pass === null) return null
          letIn(url, to.url)
          return guarded(pass, (outcome) => note(url, outcome))
        },
        tryAcquire() {
          const pass = entrance.tryAcquire()
          if (pass === null) return null
          assert(!url.isOpen, () => `a partial is let in to ${to.url}`)
          return guarded(pass, () => undefined)
        },
        [Symbol.dispose]() {
          entrance[Symbol.dispose]()
          url.users -= 1
          if (url.users === 0) urls.delete(to.url.replace(/\?.*/, ''))
        },
      }
    },
  }
}

/** Four at first, twice as many each second. */
function maxConcurrentAfter(sinceMs: number): number {
  const doublings = Math.floor(sinceMs / BREAKER_RULES.rampIntervalMs)
  const most = BREAKER_RULES.initialConcurrency * 2 ** Math.min(doublings, 30)
  return most >= BREAKER_RULES.maxLimited ? Infinity : most
}
