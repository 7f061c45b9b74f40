import type { Timers } from '../../lib/time/timers.ts'
import { createWaitQueue } from '../../lib/async/wait-queue.ts'

/** What became of an attempt: it was delivered or refused, it failed, or none was made. */
export type AttemptResult = 'success' | 'failure' | 'unused'

/** The right to one attempt. Give it back exactly once. `unused`: no attempt was made. */
export type BreakerPermit = {
  /** It was given while the URL does not work, to see whether it does again. */
  isProbe: boolean
  release(outcome: AttemptResult): void
}

/** Asks one callback URL less often when it does not work, and lets everybody back in when it does. */
export interface CircuitBreaker extends Disposable {
  /**
   * Resolves when an attempt may be made. Of those who wait while it is open, the oldest head goes first.
   * Null when the signal aborts before.
   */
  acquire(headAt: number, signal: AbortSignal): Promise<BreakerPermit | null>
  /** Null instead of waiting. */
  tryAcquire(): BreakerPermit | null
  /** Partials do not wait: they are worth nothing later. */
  isOpen(): boolean
}

export const BREAKER_RULES = {
  /** Faults in a row, over all meetings that call the URL, that open it. */
  failuresToOpen: 5,
  /** Pauses between probes while it is open; then the short step for ten minutes, then the long one. */
  probeDelaysMs: [10_000, 30_000],
  probeIntervalMs: 60_000,
  slowProbeIntervalMs: 300_000,
  slowAfterMs: 600_000,
  /** After the first success so many at once, twice as many each second, until it does not matter. */
  initialConcurrency: 4,
  rampIntervalMs: 1_000,
  maxLimited: 64,
} as const

type BreakerRules = typeof BREAKER_RULES

type Parts = { timers: Timers; rules?: BreakerRules; onClose(): void }

export function createCircuitBreaker({
  timers,
  rules = BREAKER_RULES,
  onClose,
}: Parts): CircuitBreaker {
  let failures = 0
  let open: { since: number; probes: number; probeAt: number } | null = null
  let inFlight = 0
  let atOnce = Infinity
  /** One timer at a time: to the next probe while it is open, to more at once after that. */
  let cancelTimer = () => {}
  const waiting = createWaitQueue<number, BreakerPermit>()

  const later = (ms: number, run: () => void) => {
    cancelTimer()
    cancelTimer = timers.after(ms, run)
  }
  const limit = () => (open === null ? atOnce : timers.now() >= open.probeAt ? 1 : 0)
  const newTicket = (): BreakerPermit => {
    inFlight += 1
    const isProbe = open !== null
    return {
      isProbe,
      release(outcome) {
        inFlight -= 1
        if (outcome === 'failure') onFailure(isProbe)
        if (outcome === 'success') onSuccess()
        admitWaiting()
      },
    }
  }
  const admitWaiting = () => {
    while (waiting.size() > 0 && inFlight < limit()) waiting.admitNext(newTicket, (a, b) => a - b)
  }
  const raiseLimit = () => {
    atOnce = atOnce * 2 >= rules.maxLimited ? Infinity : atOnce * 2
    admitWaiting()
    if (atOnce !== Infinity) later(rules.rampIntervalMs, raiseLimit)
  }
  const onSuccess = () => {
    failures = 0
    if (open === null) return
    open = null
    atOnce = rules.initialConcurrency
    later(rules.rampIntervalMs, raiseLimit)
    onClose()
  }
  const probeLater = (since: number, probes: number) => {
    const isLong = timers.now() - since >= rules.slowAfterMs
    const pauseMs =
      rules.probeDelaysMs[probes] ?? (isLong ? rules.slowProbeIntervalMs : rules.probeIntervalMs)
    open = { since, probes, probeAt: timers.now() + pauseMs }
    later(pauseMs, admitWaiting)
  }
  const onFailure = (isProbe: boolean) => {
    failures += 1
    // What was under way when it opened says nothing new.
    if (open !== null && isProbe) probeLater(open.since, open.probes + 1)
    if (open === null && failures >= rules.failuresToOpen) probeLater(timers.now(), 0)
  }

  const tryEnter = () => (waiting.size() === 0 && inFlight < limit() ? newTicket() : null)

  return {
    acquire: async (headAt, signal) => tryEnter() ?? waiting.wait(headAt, signal),
    tryAcquire: tryEnter,
    isOpen: () => open !== null,
    [Symbol.dispose]: () => cancelTimer(),
  }
}
