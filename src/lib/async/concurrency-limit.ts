/** Runs at most `max` of the given functions at once; the others wait their turn, first come first served. */
export function createConcurrencyLimit(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: Array<() => void> = []
  let running = 0

  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The place is handed on rather than freed, so a newcomer cannot overtake the queue.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
