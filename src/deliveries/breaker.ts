import type { Timers } from '../lib/timers.ts'
import { createTurnstile } from '../lib/turnstile.ts'

/** Asks one callback URL less often when it does not work, and lets everybody back in when it does. */
export interface Breaker {
  /**
   * Resolves when an attempt may be made. Of those who wait while it is open, the oldest head goes first.
   * False when the signal aborts before.
   */
  enter(headAt: number, signal: AbortSignal): Promise<boolean>
  /** Partials do not wait: they are worth nothing later. */
  isOpen(): boolean
  /** What became of the attempt. `unused`: none was made. */
  tell(outcome: 'worked' | 'fault' | 'unused'): void
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

type Rules = typeof BREAKER_RULES

type Parts = { timers: Timers; rules?: Rules; onClose(): void }

export function createBreaker({ timers, rules = BREAKER_RULES, onClose }: Parts): Breaker {
  let faults = 0
  let openSince: number | null = null
  let probeAt = 0
  let inFlight = 0
  let atOnce = Infinity
  const waiting = createTurnstile<number, true>()

  const limit = () => (openSince === null ? atOnce : timers.now() >= probeAt ? 1 : 0)
  const admit = () => {
    while (waiting.size() > 0 && inFlight < limit()) {
      inFlight += 1
      waiting.letIn(
        () => true,
        (a, b) => a - b,
      )
    }
  }
  const ramp = () => {
    if (openSince !== null || atOnce === Infinity) return
    atOnce = atOnce * 2 >= rules.unlimited ? Infinity : atOnce * 2
    admit()
    timers.after(rules.rampEveryMs, ramp)
  }
  const close = () => {
    openSince = null
    atOnce = rules.firstAtOnce
    timers.after(rules.rampEveryMs, ramp)
    onClose()
  }
  const pause = (since: number) => {
    const step = rules.probeMs[faults - rules.faults]
    const isLong = timers.now() - since >= rules.longAfterMs
    return step ?? (isLong ? rules.longMs : rules.shortMs)
  }
  const fault = () => {
    faults += 1
    if (faults < rules.faults) return
    openSince ??= timers.now()
    probeAt = timers.now() + pause(openSince)
    timers.after(probeAt - timers.now(), admit)
  }

  return {
    async enter(headAt, signal) {
      if (waiting.size() === 0 && inFlight < limit()) {
        inFlight += 1
        return true
      }
      return (await waiting.wait(headAt, signal)) ?? false
    },
    isOpen: () => openSince !== null,
    tell(outcome) {
      inFlight -= 1
      if (outcome === 'fault') fault()
      if (outcome === 'worked') {
        faults = 0
        if (openSince !== null) close()
      }
      admit()
    },
  }
}
