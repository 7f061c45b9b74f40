/** Limits how many responses are read to their end after their results were reported. */
export interface BackgroundReadLimiter {
  /** Null when too many responses are already read, of this origin or of all. Dispose the result when the read ends. */
  tryStart(origin: string): Disposable | null
}

const MAX_PER_ORIGIN = 8
const MAX_TOTAL = 64

export function createBackgroundReadLimiter(): BackgroundReadLimiter {
  const countByOrigin = new Map<string, number>()
  let count = 0
  const change = (origin: string, by: 1 | -1) => {
    const next = (countByOrigin.get(origin) ?? 0) + by
    if (next === 0) countByOrigin.delete(origin)
    else countByOrigin.set(origin, next)
    count += by
  }
  return {
    tryStart(origin) {
      if (count >= MAX_TOTAL || (countByOrigin.get(origin) ?? 0) >= MAX_PER_ORIGIN) return null
      change(origin, 1)
      return { [Symbol.dispose]: () => change(origin, -1) }
    },
  }
}
