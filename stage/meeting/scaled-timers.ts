import { setTimeout as wait } from 'node:timers/promises'

export type ScaledTimers = ReturnType<typeof createScaledTimers>

/** Timers of a meeting that runs `speed` times as fast as real time. */
export function createScaledTimers(speed: number, signal: AbortSignal) {
  const startedMs = performance.now()
  return {
    now: () => (performance.now() - startedMs) * speed,
    /** Rejects when the meeting closes, which stops the script. */
    sleep: (ms: number) => wait(ms / speed, undefined, { signal }),
    later(ms: number, act: () => void): void {
      const timer = setTimeout(() => {
        if (!signal.aborted) act()
      }, ms / speed)
      timer.unref()
    },
  }
}
