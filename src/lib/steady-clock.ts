/** A clock that only goes forward, made of one that may be set back. */
export interface SteadyClock {
  /** The steady time of an outer time. */
  read(outer: number): number
  /** The same for whoever reads beside, whose times may be later than the next one that is read. */
  look(outer: number): number
  /** The outer time of a steady one, by the outer clock as it goes now. */
  outer(steady: number): number
}

export function createSteadyClock(): SteadyClock {
  let last = Number.NEGATIVE_INFINITY
  let ahead = 0
  return {
    read(outer) {
      if (!Number.isFinite(outer)) return last + ahead
      // Whole milliseconds: sums and differences of these are exact, so a tick is never an instant too early.
      const at = Math.floor(outer)
      if (at < last) ahead += last - at
      last = at
      return at + ahead
    },
    look: (outer) => Math.max(Math.floor(outer), last) + ahead,
    outer: (steady) => steady - ahead,
  }
}
