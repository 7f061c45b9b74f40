/**
 * The time of a page, on our own clock. What wire and page tell is compared by when it happened in the page: on the
 * way from there to us messages wait, and a machine with much to do lets some wait for seconds.
 */
export interface PageClock {
  /** When something happened that was told as of `sentAt` of the page's clock and has arrived at `arrivedAt` of ours. */
  toLocalTime(sentAt: number, arrivedAt: number): number
}

/** Nothing waits so long: the clock of the page was set, or runs on another machine that slept. */
const MAX_LAG_MS = 20_000
/** Two clocks may run apart by so much in a millisecond. */
const MAX_DRIFT_RATE = 0.0005

export function createPageClock(): PageClock {
  /** What must be added to the page's clock: the least that any message has needed. */
  let ahead = Infinity
  let arrivedLast = -Infinity
  let last = -Infinity

  return {
    toLocalTime(sentAt, arrivedAt) {
      const passed = Number.isFinite(arrivedLast) ? arrivedAt - arrivedLast : 0
      ahead = Math.min(ahead + passed * MAX_DRIFT_RATE, arrivedAt - sentAt)
      arrivedLast = arrivedAt
      if (arrivedAt - (sentAt + ahead) > MAX_LAG_MS) ahead = arrivedAt - sentAt
      last = Math.max(last, sentAt + ahead)
      return last
    },
  }
}
