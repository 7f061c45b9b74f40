/** Measures the CPU time of rendering a template, without the time in which it waits for documents to be read. */
export interface RenderTimer {
  /** Rendering time so far, in milliseconds. The renderer calls it, so the time up to a call never counts as a wait. */
  elapsedMs(): number
  /** Excludes the time until `reading` settles or, if `elapsedMs` is called meanwhile, the time from that call on. */
  excludeWait<T>(reading: Promise<T>): Promise<T>
}

/** While a template waits, the process serves other work. `activeMs` returns the total active time of the process. */
export function createRenderTimer(activeMs = () => performance.eventLoopUtilization().active) {
  let waitedMs = 0
  let pendingReads = 0
  let waitStart = 0
  const clock: RenderTimer = {
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
