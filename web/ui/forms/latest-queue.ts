/** Runs one request after the other. Of several that wait, only the last is run, because that is the final choice. */
export interface LatestQueue {
  /** Resolves to true when nothing is left to do, and immediately to false if the work waits for its turn. */
  run(work: () => Promise<void>): Promise<boolean>
}

export function createLatestQueue(): LatestQueue {
  let isRunning = false
  let next: (() => Promise<void>) | null = null
  return {
    async run(work) {
      next = work
      if (isRunning) return false
      isRunning = true
      try {
        while (next !== null) {
          const current: () => Promise<void> = next
          next = null
          await current()
        }
      } finally {
        isRunning = false
      }
      return true
    },
  }
}
