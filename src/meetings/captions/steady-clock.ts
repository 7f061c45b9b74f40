/** A clock that only goes forward, made of one that may be set back. */
export interface SteadyClock {
  /** The steady time of an outer time. */
  read(at: number): number
  /** The outer time of a steady one, by the outer clock as it goes now. */
  outer(steady: number): number
}

export function createSteadyClock(): SteadyClock {
  let last = Number.NEGATIVE_INFINITY
  let ahead = 0
  return {
    read(at) {
      if (at < last) ahead += last - at
      if (Number.isFinite(at)) last = at
      return Number.isFinite(at) ? at + ahead : last + ahead
    },
    outer: (steady) => steady - ahead,
  }
}
