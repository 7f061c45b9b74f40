/** Counts the time in which a template is filled in, and not that in which it waits for something to be read. */
export interface RenderClock {
  /** Milliseconds of work so far. Whoever asks is at work. */
  elapsedMs(): number
  /** The template waits for this, unless somebody asks for the time meanwhile. */
  excludeWait<T>(reading: Promise<T>): Promise<T>
}

/** While a template waits, the process works for others. `activeMs`: for how long it has worked at all. */
export function createRenderClock(activeMs = () => performance.eventLoopUtilization().active) {
  let waitedMs = 0
  let pending = 0
  let from = 0
  const clock: RenderClock = {
    elapsedMs() {
      from = activeMs()
      return from - waitedMs
    },
    async excludeWait(reading) {
      if (pending === 0) from = activeMs()
      pending += 1
      try {
        return await reading
      } finally {
        pending -= 1
        if (pending === 0) waitedMs += activeMs() - from
      }
    },
  }
  return clock
}
