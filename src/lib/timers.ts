/** Monotonic time and what happens after some of it: a parameter where a test wants to be its master. */
export interface Timers {
  /** Milliseconds since some moment; never goes back. */
  now(): number
  /** Answers how to call it off. */
  after(ms: number, run: () => void): () => void
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS))
    return () => clearTimeout(timer)
  },
}
