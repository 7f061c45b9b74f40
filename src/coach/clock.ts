/** Time that only goes forward, made of a clock that may be set back. */
export interface Clock {
  read(outer: number): number
  /** When the outer clock, as it goes now, will show a steady time. */
  outer(steady: number): number
}

export function createClock(): Clock {
  let latest = Number.NEGATIVE_INFINITY
  let ahead = 0
  return {
    read(outer) {
      // Whole milliseconds: sums and differences of these are exact, so a tick is never an instant too early.
      const at = Math.floor(outer)
      if (at < latest) ahead += latest - at
      latest = at
      return at + ahead
    },
    outer: (steady) => steady - ahead,
  }
}
