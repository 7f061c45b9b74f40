/** A monotonic clock and its timers as a dependency, so that tests can control them. */
export interface Timers {
  /** Monotonic time in milliseconds since an arbitrary start. */
  now(): number
  /** Calls `run` after at least `ms` by `now`. Returns a function that cancels the timer. */
  after(ms: number, run: () => void): () => void
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    const dueAt = performance.now() + ms
    let timer: NodeJS.Timeout
    const arm = (leftMs: number) => {
      timer = setTimeout(fire, Math.min(Math.max(leftMs, 0), LONGEST_TIMER_MS))
    }
    // Node measures timers from the cached time of its event loop, so they can fire a little early.
    const fire = () => {
      const leftMs = dueAt - performance.now()
      if (leftMs > 0) arm(leftMs)
      else run()
    }
    arm(ms)
    return () => clearTimeout(timer)
  },
}
