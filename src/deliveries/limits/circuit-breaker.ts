import type { Timers } from '../../lib/time/timers.ts'
import { createWaitQueue } from '../../lib/async/wait-queue.ts'

/** How an attempt went: the receiver answered (it accepted or rejected the event), it failed, or none was made. */
export type PermitResult = 'success' | 'failure' | 'unused'

/** Permission for one attempt. The holder must release it exactly once. */
export type BreakerPermit = {
  /** True when the breaker is open and this attempt checks whether the URL works again. */
  isProbe: boolean
  release(result: PermitResult): void
}

/** Limits attempts at one callback URL while it fails, and admits more and more attempts when it works again. */
export interface CircuitBreaker extends Disposable {
  /**
   * Resolves when an attempt may start. While the breaker is open, the lane with the oldest head event goes first.
   * Null when the signal aborts first.
   */
  acquire(headAt: number, signal: AbortSignal): Promise<BreakerPermit | null>
  /** Returns null instead of waiting for a permit. */
  tryAcquire(): BreakerPermit | null
  isOpen(): boolean
}

export const BREAKER_RULES = {
  /** This many failures in a row, counted over all meetings that use the URL, open the breaker. */
  failuresToOpen: 5,
  /** The delays before the first two probes of an open breaker. Later probes wait `probeIntervalMs`. */
  probeDelaysMs: [10_000, 30_000],
  probeIntervalMs: 60_000,
  /** Used instead of `probeIntervalMs` when the breaker has been open for `slowAfterMs`. */
  slowProbeIntervalMs: 300_000,
  slowAfterMs: 600_000,
  /** Concurrent attempts after the first success. The number doubles every `rampIntervalMs`. */
  initialConcurrency: 4,
  rampIntervalMs: 1_000,
  /** From this number of concurrent attempts on, the breaker sets no limit. */
  maxLimited: 64,
} as const

type BreakerRules = typeof BREAKER_RULES

type BreakerState =
  /** The URL works: attempts are not limited. */
  | { mode: 'closed' }
  /** The URL fails: one probe at a time, after a delay. */
  | { mode: 'open'; since: number; probes: number; probeAt: number }
  /** The URL works again: the limit doubles every second until it is lifted. */
  | { mode: 'recovering'; maxInFlight: number }

type Parts = { timers: Timers; rules?: BreakerRules; onClose(): void }

export function createCircuitBreaker({
  timers,
  rules = BREAKER_RULES,
  onClose,
}: Parts): CircuitBreaker {
  let state: BreakerState = { mode: 'closed' }
  let failures = 0
  let inFlight = 0
  /** Cancels the only timer: for the next probe of an open breaker, or the next higher limit of a recovering one. */
  let cancelTimer = () => {}
  const waiting = createWaitQueue<number, BreakerPermit>()

  const schedule = (ms: number, run: () => void) => {
    cancelTimer()
    cancelTimer = timers.after(ms, run)
  }
  const maxInFlight = () => {
    if (state.mode === 'closed') return Infinity
    if (state.mode === 'recovering') return state.maxInFlight
    return timers.now() >= state.probeAt ? 1 : 0
  }
  const newPermit = (): BreakerPermit => {
    inFlight += 1
    const isProbe = state.mode === 'open'
    return {
      isProbe,
      release(result) {
        inFlight -= 1
        if (result === 'failure') onFailure(isProbe)
        if (result === 'success') onSuccess()
        admitWaiting()
      },
    }
  }
  const admitWaiting = () => {
    while (waiting.size() > 0 && inFlight < maxInFlight()) {
      waiting.admitNext(newPermit, (a, b) => a - b)
    }
  }
  const recover = (limit: number) => {
    state =
      limit >= rules.maxLimited ? { mode: 'closed' } : { mode: 'recovering', maxInFlight: limit }
    if (state.mode === 'recovering') schedule(rules.rampIntervalMs, () => raiseLimit(limit * 2))
  }
  const raiseLimit = (limit: number) => {
    recover(limit)
    admitWaiting()
  }
  const onSuccess = () => {
    failures = 0
    if (state.mode !== 'open') return
    recover(rules.initialConcurrency)
    onClose()
  }
  const openUntilProbe = (since: number, probes: number) => {
    const isSlow = timers.now() - since >= rules.slowAfterMs
    const delayMs =
      rules.probeDelaysMs[probes] ?? (isSlow ? rules.slowProbeIntervalMs : rules.probeIntervalMs)
    state = { mode: 'open', since, probes, probeAt: timers.now() + delayMs }
    schedule(delayMs, admitWaiting)
  }
  const onFailure = (isProbe: boolean) => {
    failures += 1
    if (state.mode !== 'open') {
      if (failures >= rules.failuresToOpen) openUntilProbe(timers.now(), 0)
    } else if (isProbe) openUntilProbe(state.since, state.probes + 1)
    // A failure of an attempt that began before the breaker opened changes nothing.
  }
  const tryAcquire = () => (waiting.size() === 0 && inFlight < maxInFlight() ? newPermit() : null)

  return {
    acquire: async (headAt, signal) => tryAcquire() ?? waiting.wait(headAt, signal),
    tryAcquire,
    isOpen: () => state.mode === 'open',
    [Symbol.dispose]: () => cancelTimer(),
  }
}
