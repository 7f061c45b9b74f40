import type { Timers } from '../../../src/lib/time/clock.ts'

/** Timers whose time is advanced only by the test. */
export interface ManualTimers extends Timers {
  /** Runs the timers that become due, in order. */
  advance(ms: number): void
  count(): number
}

export function createManualTimers(): ManualTimers {
  const set = new Set<{ at: number; run(): void }>()
  let now = 0
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run }
      set.add(timer)
      return () => set.delete(timer)
    },
    advance(ms) {
      const until = now + ms
      for (;;) {
        const [next] = [...set].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)
        if (next === undefined) break
        set.delete(next)
        now = Math.max(now, next.at)
        next.run()
      }
      now = until
    },
    count: () => set.size,
  }
}
