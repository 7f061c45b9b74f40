import { setTimeout as wait } from 'node:timers/promises'

export type ScaledTimers = ReturnType<typeof createScaledTimers>

/** Time as the show counts it: `speed` times as fast as the clock. */
export function createScaledTimers(speed: number, signal: AbortSignal) {
  const startedMs = performance.now()
  return {
    now: () => (performance.now() - startedMs) * speed,
    /** Rejects when the show closes, so that whatever plays comes to its end. */
    sleep: (ms: number) => wait(ms / speed, undefined, { signal }),
    later(ms: number, act: () => void): void {
      const timer = setTimeout(() => {
        if (!signal.aborted) act()
      }, ms / speed)
      timer.unref()
    },
  }
}
