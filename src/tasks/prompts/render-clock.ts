/** Measures the CPU time of rendering a template, without the time in which it waits for documents to be read. */
export interface RenderClock {
  /** Rendering time so far, in milliseconds. A call proves that the template is not waiting. */
  elapsedMs(): number
  /** Does not count the time until the promise settles, except time before a call of `elapsedMs` during the wait. */
  excludeWait<T>(reading: Promise<T>): Promise<T>
}

/** While a template waits, the process serves other work. `activeMs` returns the total active time of the process. */
export function createRenderClock(activeMs = () => performance.eventLoopUtilization().active) {
  let waitedMs = 0
  let pendingReads = 0
  let waitStart = 0
  const clock: RenderClock = {
    elapsedMs() {
      waitStart = activeMs()
      return waitStart - waitedMs
    },
    async excludeWait(reading) {
      if (pendingReads === 0) waitStart = activeMs()
      pendingReads += 1
      try {
        return await reading
      } finally {
        pendingReads -= 1
        if (pendingReads === 0) waitedMs += activeMs() - waitStart
      }
    },
  }
  return clock
}
