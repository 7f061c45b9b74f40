/** A clock that only goes forward, made of one that may be set back. */
export interface MonotonicClock {
  /** The steady time of an outer time. */
  advance(toSourceTime: number): number
  /** The same for whoever reads beside, whose times may be later than the next one that is read. */
  peek(toSourceTime: number): number
  /** The outer time of a steady one, by the outer clock as it goes now. */
  toSourceTime(steady: number): number
}

export function createMonotonicClock(): MonotonicClock {
  let last = Number.NEGATIVE_INFINITY
  let ahead = 0
  return {
    advance(outer) {
      if (!Number.isFinite(outer)) return last + ahead
      // Whole milliseconds: sums and differences of these are exact, so a tick is never an instant too early.
      const at = Math.floor(outer)
      if (at < last) ahead += last - at
      last = at
      return at + ahead
    },
    peek: (outer) => Math.max(Math.floor(outer), last) + ahead,
    toSourceTime: (steady) => steady - ahead,
  }
}
