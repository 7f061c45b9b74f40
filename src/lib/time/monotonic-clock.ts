/** A clock that only goes forward, derived from a source clock that may be set back. */
export interface MonotonicTimeConverter {
  /** Advances to the given time of the source clock and returns the monotonic time. */
  advance(sourceTime: number): number
  /** Converts a source time without advancing, because the next `advance` may get an earlier source time. */
  peek(sourceTime: number): number
  /** Converts a monotonic time back to the source clock, with the current offset. */
  toSourceTime(time: number): number
}

export function createMonotonicTimeConverter(): MonotonicTimeConverter {
  let last = Number.NEGATIVE_INFINITY
  let offset = 0
  return {
    advance(sourceTime) {
      if (!Number.isFinite(sourceTime)) return last + offset
      // Whole milliseconds, because sums and differences of them are exact and no timer fires too early.
      const at = Math.floor(sourceTime)
      if (at < last) offset += last - at
      last = at
      return at + offset
    },
    peek: (sourceTime) => Math.max(Math.floor(sourceTime), last) + offset,
    toSourceTime: (time) => time - offset,
  }
}
