/**
 * Converts times of the page's clock into times of the service's clock. Captions in network messages and captions shown
 * on the page are compared by when they happened in the page, because on a busy machine messages reach the service
 * seconds later.
 */
export interface PageTimeConverter {
  /**
   * Our time of an event that the page sent at `sentAt` (page clock) and that arrived at `arrivedAt` (our clock).
   */
  toLocalTime(sentAt: number, arrivedAt: number): number
}

/** No message is delayed this long. A larger lag means that the page's clock was changed. */
const MAX_LAG_MS = 20_000
/** How far two clocks can drift apart per millisecond. */
const MAX_DRIFT_RATE = 0.0005

export function createPageTimeConverter(): PageTimeConverter {
  /**
   * The offset from the page's clock to ours: the smallest that any message showed, because it had the least delay.
   */
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
