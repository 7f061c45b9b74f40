import type { Timers } from '../../lib/time/timers.ts'
import { createWaitQueue } from '../../lib/async/wait-queue.ts'

/** The right to one attempt. Give it back exactly once. `unused`: no attempt was made. */
export type BreakerPermit = {
  /** It was given while the URL does not work, to see whether it does again. */
  isProbe: boolean
  release(outcome: 'worked' | 'fault' | 'unused'): void
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
  faults: 5,
  /** Pauses between probes while it is open; then the short step for ten minutes, then the long one. */
  probeMs: [10_000, 30_000],
  shortMs: 60_000,
  longMs: 300_000,
  longAfterMs: 600_000,
  /** After the first success so many at once, twice as many each second, until it does not matter. */
  firstAtOnce: 4,
  rampEveryMs: 1_000,
  unlimited: 64,
} as const

type BreakerRules = typeof BREAKER_RULES

type Parts = { timers: Timers; rules?: BreakerRules; onClose(): void }

export function createCircuitBreaker({
  timers,
  rules = BREAKER_RULES,
  onClose,
}: Parts): CircuitBreaker {
  let faults = 0
  let open: { since: number; probes: number; probeAt: number } | null = null
  let inFlight = 0
  let atOnce = Infinity
  /** One timer at a time: to the next probe while it is open, to more at once after that. */
  let callOff = () => {}
  const waiting = createWaitQueue<number, BreakerPermit>()

  const later = (ms: number, run: () => void) => {
    callOff()
    callOff = timers.after(ms, run)
  }
  const limit = () => (open === null ? atOnce : timers.now() >= open.probeAt ? 1 : 0)
  const newTicket = (): BreakerPermit => {
    inFlight += 1
    const isProbe = open !== null
    return {
      isProbe,
      release(outcome) {
        inFlight -= 1
        if (outcome === 'fault') fault(isProbe)
        if (outcome === 'worked') work()
        admit()
      },
    }
  }
  const admit = () => {
    while (waiting.size() > 0 && inFlight < limit()) waiting.admitNext(newTicket, (a, b) => a - b)
  }
  const ramp = () => {
    atOnce = atOnce * 2 >= rules.unlimited ? Infinity : atOnce * 2
    admit()
    if (atOnce !== Infinity) later(rules.rampEveryMs, ramp)
  }
  const work = () => {
    faults = 0
    if (open === null) return
    open = null
    atOnce = rules.firstAtOnce
    later(rules.rampEveryMs, ramp)
    onClose()
  }
  const probeLater = (since: number, probes: number) => {
    const isLong = timers.now() - since >= rules.longAfterMs
    const pauseMs = rules.probeMs[probes] ?? (isLong ? rules.longMs : rules.shortMs)
    open = { since, probes, probeAt: timers.now() + pauseMs }
    later(pauseMs, admit)
  }
  const fault = (isProbe: boolean) => {
    faults += 1
    // What was under way when it opened says nothing new.
    if (open !== null && isProbe) probeLater(open.since, open.probes + 1)
    if (open === null && faults >= rules.faults) probeLater(timers.now(), 0)
  }

  const tryEnter = () => (waiting.size() === 0 && inFlight < limit() ? newTicket() : null)

  return {
    acquire: async (headAt, signal) => tryEnter() ?? waiting.wait(headAt, signal),
    tryAcquire: tryEnter,
    isOpen: () => open !== null,
    [Symbol.dispose]: () => callOff(),
  }
}
