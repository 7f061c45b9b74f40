/** Monotonic time and what happens after some of it: a parameter where a test wants to be its master. */
export interface Timers {
  /** Milliseconds since some moment; never goes back. */
  now(): number
  /** Never early by `now`. Answers how to call it off. */
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
    // The loop counts from when it last looked at the clock, so its timers can be a little early.
    const fire = () => {
      const leftMs = dueAt - performance.now()
      if (leftMs > 0) arm(leftMs)
      else run()
    }
    arm(ms)
    return () => clearTimeout(timer)
  },
}
