/** The current time as a dependency, so that tests can control it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

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

export function addSecondsToDate(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000)
}

/** A clock that only goes forward, based on a source clock that may be set back. */
export function createMonotonicTimeConverter() {
  let last = Number.NEGATIVE_INFINITY
  let offset = 0
  return {
    /** Advances to the given time of the source clock. Returns the monotonic time. */
    advance(sourceTime: number): number {
      if (!Number.isFinite(sourceTime)) return last + offset
      // Whole milliseconds, because their sums and differences are exact, so no timer fires too early.
      const at = Math.floor(sourceTime)
      if (at < last) offset += last - at
      last = at
      return at + offset
    },
    /** Converts a source time without advancing, because the next `advance` may get an earlier source time. */
    peek: (sourceTime: number) => Math.max(Math.floor(sourceTime), last) + offset,
    /** Converts a monotonic time back to the source clock, with the current offset. */
    toSourceTime: (time: number) => time - offset,
  }
}

export type MonotonicTimeConverter = ReturnType<typeof createMonotonicTimeConverter>
